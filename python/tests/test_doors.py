"""Edits through Python's methods, as texts and in the shell: equal models, which load everywhere."""

import random

import pytest

import sinew

#: A particle that is never deleted.
STAYS = "stays"


def edit(draw, model):
    """A random edit as the dictionary that JSON has of it; many are refused."""
    everyone = [it.path for kind in ("particle", "axial_spring", "rigid_body", "point_load", "input_probe") for it in model.components(kind)]
    everyone.remove(f"/models/m/particles/{STAYS}")
    someone = draw.choice(everyone) if everyone else "/models/m/particles/nobody"
    vector = [round(draw.uniform(-1.0, 1.0), 3) for _ in range(3)]
    name = f"n{draw.randrange(60)}"
    particles = [it.path for it in model.components("particle")]
    kind = draw.randrange(26)
    if kind < 4:
        given = {"position": vector, "mass": round(draw.uniform(-0.1, 2.0), 3)}
        return {"command": "add", "kind": "particle", "path": name, "properties": given}
    if kind == 4:
        ends = {"first": draw.choice(particles), "second": draw.choice(particles), "material": "simple_muscle"}
        return {"command": "add", "kind": "axial_spring", "path": name, "properties": ends}
    if kind == 5:
        return {"command": "add", "kind": "point_load", "path": name, "properties": {"target": draw.choice(particles), "force": vector}}
    if kind == 6:
        return {"command": "delete", "paths": [someone]}
    if kind == 7:
        return {"command": "duplicate", "paths": [someone], "scope": draw.choice(["alone", "with_references"])}
    if kind == 8:
        return {"command": "rename", "path": someone, "name": draw.choice([name, "a b", "ü", "it's"])}
    if kind == 9:
        return {"command": "set", "property": f"{draw.choice(particles)}:mass", "value": round(draw.uniform(-0.2, 2.0), 3)}
    if kind == 10:
        return {"command": "translate", "paths": [someone], "by": vector}
    if kind == 11:
        return {"command": "transform", "paths": ["/"], "map": {"kind": "scale", "factors": [0.9, 1.1, 1.05]}}
    if kind == 12:
        given = {"type": draw.choice(["number", "text", "vector"]), "unit": draw.choice(["", "m"]), "doc": draw.choice(["", "a b"])}
        return {"command": "declare", "property": f"{someone}:own{draw.randrange(3)}", **given}
    if kind == 13:
        name = f"{someone}:own{draw.randrange(3)}"
        return draw.choice([{"command": "undeclare", "property": name}, {"command": "set", "property": name, "value": 0.5}])
    if kind == 14:
        # Output probes have files in the shell, which refuses those of recordings that are there.
        given = {"properties": f"{draw.choice(particles)}:position", "data": [0, *vector], "stretch": round(draw.uniform(-0.05, 0.5), 3)}
        return {"command": "add", "kind": "input_probe", "path": name, "properties": given}
    if kind == 15:
        given = {"properties": f"{draw.choice(particles)}:mass", "data": [0, 1, draw.randrange(-1, 4), 2], "start": 0.5}
        return {"command": "add", "kind": "input_probe", "path": name, "properties": given}
    if kind == 16:
        what = draw.choice([("enabled", "false"), ("interpolation", "cubic"), ("stop", 0.5), ("stretch", -1), ("every", 0.1)])
        return {"command": "set", "property": f"{someone}:{what[0]}", "value": what[1]}
    if kind == 17:
        given = {"time": round(draw.uniform(0.0, 2.0), 3), "breakpoint": draw.choice(["true", "false"])}
        return {"command": "add", "kind": "waypoint", "path": name, "properties": given}
    if kind == 18:
        what = draw.choice([("time", round(draw.uniform(0.0, 2.0), 3)), ("breakpoint", "true"), ("breakpoint", "maybe")])
        return {"command": "set", "property": f"{someone}:{what[0]}", "value": what[1]}
    if kind == 19:
        given = {"properties": f"{draw.choice(particles)}:mass", "labels": draw.choice(["Mass", "a b"]), "high": draw.choice([2.0, -1.0])}
        return {"command": "add", "kind": "control_panel", "path": name, "properties": given}
    if kind == 20:
        what = draw.choice([("widgets", "slider"), ("widgets", "lever"), ("low", 0.5), ("labels", "m")])
        shown = draw.choice([it.path for it in model.components("control_panel")] or [someone])
        return {"command": "set", "property": f"{shown}:{what[0]}", "value": what[1]}
    if kind == 24:
        given = {"when": f"{{{draw.choice(particles)}:mass}} - 0.5", "crosses": 0.5, "command": draw.choice(["stop", f"delete {someone}", "undo"])}
        return {"command": "add", "kind": "event", "path": name, "properties": given}
    if kind == 25:
        given = {"input": f"{{{draw.choice(particles)}:position.z}} + t", "target": draw.choice(particles), "property": "mass"}
        return {"command": "add", "kind": "property_controller", "path": name, "properties": given}
    return {"command": draw.choice(["undo", "undo", "redo"])}


def word(value):
    """A value as one word of the shell: a list with blanks between, in quotes where they are needed."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f'"{text}"' if " " in text or "'" in text else text


def text_of(command):
    """The words of the shell for such a dictionary."""
    name = command["command"]
    paths = [word(path) for path in command.get("paths", [])]
    if name == "add":
        pairs = (f"{key}={word(value)}" for key, value in command["properties"].items())
        return " ".join([name, command["kind"], command["path"], *pairs])
    if name == "duplicate" and command["scope"] == "with_references":
        return " ".join(["duplicate_with_references", *paths])
    if name == "rename":
        return f"rename {word(command['path'])} {word(command['name'])}"
    if name == "set":
        return f"set {word(command['property'])} {command['value']}"
    if name == "declare":
        more = [f"{key}={word(command[key])}" for key in ("unit", "doc") if command[key]]
        return " ".join([name, word(command["property"]), command["type"], *more])
    if name == "undeclare":
        return f"undeclare {word(command['property'])}"
    if name == "translate":
        return " ".join([name, word(command["by"]), *paths])
    if name == "transform":
        return f'transform "scale {" ".join(map(str, command["map"]["factors"]))} about 0 0 0" /'
    return " ".join([name, *paths])


@pytest.mark.parametrize("seed", range(5))
def test_ten_thousand_edits_by_three_doors_end_in_equal_models(seed, sinew_command, tmp_path):
    draw = random.Random(seed)
    start = sinew.Model("m")
    # The shell runs models, and one without anything cannot be run.
    start.add("particle", STAYS, dynamic=False)
    start.save(tmp_path / "start.toml")
    by_data, by_text = (sinew.Model.load(tmp_path / "start.toml") for _ in range(2))
    script, refused = [], 0
    for count in range(2000):
        command = edit(draw, by_data)
        outcomes = []
        for model, given in ((by_data, command), (by_text, text_of(command))):
            try:
                outcomes.append(model.edit(given))
            except sinew.SinewError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1], (count, command)
        if isinstance(outcomes[0], str):
            refused += 1
        else:
            script.append(text_of(command))
    assert len(script) > 1000 and refused > 100, (len(script), refused)
    assert by_data.to_json() == by_text.to_json()
    # The shell ends at the first command that is refused, so it is given those that are not.
    (tmp_path / "edits.txt").write_text("\n".join([*script, "save shell.toml", "save shell.json"]) + "\n")
    sinew_command("shell", "start.toml", "--script", "edits.txt", "--out", ".", folder=tmp_path)
    by_data.save(tmp_path / "python.toml")
    for saved in ("shell.toml", "shell.json", "python.toml"):
        assert sinew.Model.load(tmp_path / saved).to_json() == by_data.to_json()
    listed = sinew_command("shell", "python.toml", "--script", "/dev/null", folder=tmp_path)
    assert listed == ""
