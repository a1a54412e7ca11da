// Queries of features: five words of `queries` each.

fn query_of(number: u32) -> Query {
    let at = 5u * number;
    let ends = vec2<u32>(queries[at], queries[at + 1u]);
    return Query(ends, queries[at + 2u], queries[at + 3u], queries[at + 4u]);
}

fn query_bounds(query: Query) -> Bounds {
    let bounds = with_way(with_way(empty_bounds(), query.ends.x), query.ends.y);
    return widened(bounds, reach[REACH_BORDER]);
}
