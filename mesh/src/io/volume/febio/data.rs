//! MeshData: numbers by the places of nodes or solids in a named set (2.5 to 4.0), or by the numbers of
//! solids (ElementData of 2.0), as fields; fibres among them.

use roxmltree::Node;

use super::found::{Found, Rest};
use super::xml::{attribute, children, numbers, sections, unexpected};
use crate::io::error::Parsed;
use crate::io::text::number::float;
use crate::io::text::scanner::shorten;
use crate::io::volume::builder::Builder;

/// Most numbers a node or solid: two axes or a tensor.
const MOST: usize = 9;

/// Reads the data of a mesh, and of the section MeshData of the document.
pub(super) fn read<'a>(
    root: Node<'a, 'a>,
    mesh: Node<'a, 'a>,
    builder: &mut Builder,
    (found, rest): (&Found, Rest),
) -> Parsed<()> {
    for data in sections(mesh).filter(|n| n.has_tag_name("ElementData")) {
        by_number(data, builder, found)?;
    }
    let section = children(root).find(|n| n.has_tag_name("MeshData"));
    for data in section.into_iter().flat_map(children) {
        let (set, named) = match data.tag_name().name() {
            "NodeData" => ("node_set", &found.lists.nodes),
            "ElementData" => ("elem_set", &found.lists.solids),
            "SurfaceData" => {
                pass_over(
                    data,
                    "is given by faces, and fields belong to nodes or elements",
                    builder,
                );
                continue;
            }
            _ => continue,
        };
        let own = data.attribute(set).map_or("", str::trim);
        if set == "elem_set" && found.lists.lower.contains(own) {
            if rest == Rest::PassedOver {
                let why = "is of shells or lines, and fields belong to nodes or solids";
                pass_over(data, why, builder);
            }
            continue;
        }
        match named.get(own) {
            Some(list) => by_place(data, list, builder)?,
            None => pass_over(data, "names no set of this file", builder),
        }
    }
    Ok(())
}

/// A node or solid, its numbers, and where they stand.
type Row<'a> = (u32, Vec<f64>, Node<'a, 'a>);

/// Name of a field: its attribute differs between versions.
fn name<'a>(data: Node<'a, '_>) -> &'a str {
    let found = ["name", "var", "type"].into_iter().find_map(|key| data.attribute(key));
    found.unwrap_or("data")
}

fn pass_over(data: Node<'_, '_>, why: &str, builder: &mut Builder) {
    let name = shorten(name(data).as_bytes());
    builder.notes.push(format!("{} `{name}` passed over: it {why}", data.tag_name().name()));
}

/// The numbers of a row, also where they stand in parts (`<a>` and `<d>` of material axes).
fn row(node: Node<'_, '_>) -> Parsed<Vec<f64>> {
    let parts = std::iter::once(node).chain(children(node));
    let values = parts.flat_map(|part| numbers(part, "a number", float));
    let values: Vec<f64> = values.take(MOST + 1).collect::<Parsed<_>>()?;
    if (1..=MOST).contains(&values.len()) {
        return Ok(values);
    }
    Err(unexpected(node, "1 to 9 numbers", node.text().unwrap_or("")))
}

/// Rows `lid` from 1 along a set.
fn by_place<'a>(data: Node<'a, 'a>, list: &[u32], builder: &mut Builder) -> Parsed<()> {
    let mut rows = Vec::new();
    for node in children(data).filter(|n| n.has_attribute("lid")) {
        let place: u64 = attribute(node, "lid")?;
        let member = usize::try_from(place).ok().and_then(|i| list.get(i.checked_sub(1)?));
        let member = member
            .ok_or_else(|| unexpected(node, "a place in the set, from 1", &place.to_string()))?;
        rows.push((*member, row(node)?, node));
    }
    if rows.is_empty() {
        pass_over(data, "has no rows of numbers (generators are not run)", builder);
        return Ok(());
    }
    store(name(data), data.has_tag_name("NodeData"), &rows, builder)
}

/// `<element id="1"><fiber>1,0,0</fiber></element>`: a field for each kind of part.
fn by_number<'a>(data: Node<'a, 'a>, builder: &mut Builder, found: &Found) -> Parsed<()> {
    let mut fields: Vec<(&str, Vec<Row<'_>>)> = Vec::new();
    for node in children(data).filter(|n| n.has_attribute("id")) {
        let number: i64 = attribute(node, "id")?;
        // Shells have data too.
        let Some(solid) = found.elements.index(number) else { continue };
        for part in children(node) {
            let name = part.tag_name().name();
            let row = (solid as u32, row(part)?, part);
            match fields.iter().position(|(known, _)| *known == name) {
                Some(i) => fields[i].1.push(row),
                None if fields.len() < MOST => fields.push((name, vec![row])),
                None => {}
            }
        }
    }
    fields.iter().try_for_each(|(name, rows)| store(name, false, rows, builder))
}

fn store(name: &str, of_nodes: bool, rows: &[Row<'_>], builder: &mut Builder) -> Parsed<()> {
    let components = rows.first().map_or(1, |(_, values, _)| values.len());
    if let Some((_, _, node)) = rows.iter().find(|(_, values, _)| values.len() != components) {
        let found = node.text().unwrap_or("");
        return Err(unexpected(*node, "as many numbers as in the first row", found));
    }
    let rows = rows.iter().map(|(member, values, _)| (*member as usize, &values[..]));
    builder.add_rows(of_nodes, name, components, rows);
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::io::{ReadOptions, read_volume_bytes};

    const MESH: &str = "<Nodes><node id=\"1\">0,0,0</node><node id=\"2\">1,0,0</node>\
        <node id=\"3\">0,1,0</node><node id=\"4\">0,0,1</node><node id=\"5\">1,1,1</node></Nodes>\
        <Elements type=\"tet4\" name=\"soft\"><elem id=\"7\">1,2,3,4</elem>\
        <elem id=\"8\">2,3,4,5</elem></Elements>";

    fn read(version: &str, mesh: &str, after: &str) -> crate::io::MeshFile {
        let section = if version < "3" { "Geometry" } else { "Mesh" };
        let text = format!(
            "<febio_spec version=\"{version}\"><{section}>{MESH}{mesh}</{section}>{after}</febio_spec>"
        );
        let read = read_volume_bytes(&[text.as_bytes()], None, &ReadOptions::default());
        read.unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn fibres_and_numbers_of_nodes_become_fields_in_the_order_of_their_sets() {
        let sets = "<NodeSet name=\"some\">5,2</NodeSet><ElementSet name=\"last\">8</ElementSet>";
        let data = "<MeshData><ElementData type=\"fiber\" elem_set=\"last\">\
            <e lid=\"1\">0,0,1</e></ElementData>\
            <ElementData type=\"fiber\" elem_set=\"soft\"><e lid=\"1\">1,0,0</e></ElementData>\
            <ElementData type=\"mat_axis\" elem_set=\"soft\">\
            <e lid=\"2\"><a>1,0,0</a><d>0,1,0</d></e></ElementData>\
            <NodeData name=\"heat\" node_set=\"some\"><n lid=\"2\">2.5</n></NodeData>\
            <NodeData name=\"x\" node_set=\"none\"/><SurfaceData name=\"p\" surface=\"s\"/></MeshData>";
        let file = read("4.0", sets, data);
        let elements = &file.mesh.element_fields;
        assert_eq!(elements["fiber"].values, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(elements["mat_axis"].components, 6);
        assert_eq!(file.mesh.node_fields["heat"].values, [0.0, 2.5, 0.0, 0.0, 0.0]);
        let told = |word: &str| file.notes.iter().any(|note| note.contains(word));
        assert!(told("`x`") && told("`p`"), "{:?}", file.notes);
    }

    #[test]
    fn older_versions_name_their_data_differently() {
        let data = "<MeshData><ElementData var=\"fiber\" elem_set=\"soft\">\
            <elem lid=\"2\">0,1,0</elem></ElementData></MeshData>";
        for version in ["2.5", "3.0"] {
            let file = read(version, "", data);
            let fibres = &file.mesh.element_fields["fiber"].values;
            assert_eq!(fibres[..], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], "{version}");
        }
        let data = "<ElementData><element id=\"8\"><fiber>0,0,1</fiber></element></ElementData>";
        let file = read("2.0", data, "");
        assert_eq!(file.mesh.element_fields["fiber"].values, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_place_beyond_its_set_is_refused_with_its_line() {
        let text = format!(
            "<febio_spec version=\"4.0\"><Mesh>{MESH}</Mesh>\n<MeshData>\
             <ElementData type=\"fiber\" elem_set=\"soft\">\n<e lid=\"3\">1,0,0</e>\
             </ElementData></MeshData></febio_spec>"
        );
        let error = read_volume_bytes(&[text.as_bytes()], None, &ReadOptions::default());
        let message = error.unwrap_err().to_string();
        assert!(message.contains("line 3") && message.contains("place in the set"), "{message}");
    }
}
