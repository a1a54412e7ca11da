//! `sinew serve` and the controllers that speak to it.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::common::{Workshop, stderr};

/// A controller that speaks the protocol of docs/howto/serve.md, one answer after another.
fn serve(shop: &Workshop, arguments: &[&str]) -> (std::process::Child, String) {
    let mut command = shop.command(&[&["serve"], arguments, &["--listen", "127.0.0.1:0"]].concat());
    let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(run.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
    let address = first.trim().strip_prefix("listening at ").unwrap_or_else(|| panic!("{first}"));
    (run, address.to_owned())
}

fn example(name: &str) -> String {
    format!("{}/../examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_controller_in_python_balances_a_rod_over_a_socket() {
    let shop = Workshop::new();
    let model = example("balance.toml");
    let (run, address) = serve(&shop, &[&model, "--interval", "0.01", "--time", "3"]);
    let client = std::process::Command::new("python3")
        .args([&example("python/balance_client.py"), &address])
        .output()
        .expect("python3, for the example of a controller");
    let run = run.wait_with_output().unwrap();
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(client.status.success(), "{}", stderr(&client));
    let said = String::from_utf8(client.stdout).unwrap();
    let lean: f64 = said.split("lean ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    // From 0.1 rad; without a controller it falls to the ground.
    assert!(said.starts_with("t = 3.000 s") && lean.abs() < 1e-3, "{said}");
}

#[test]
fn a_simulation_that_no_controller_asks_for_ends_after_its_timeout() {
    let shop = Workshop::new();
    let model = example("balance.toml");
    let output = shop.sinew(&["serve", &model, "--listen", "127.0.0.1:0", "--timeout", "0.05"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("no controller connected to 127.0.0.1"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_simulation_waits_for_its_controller_and_says_what_is_wrong_with_an_answer() {
    let shop = Workshop::new();
    let model = example("balance.toml");
    for (answer, code, told) in [
        ("{\"stop\": true}\n", 0, ""),
        ("{\"inputs\": [1, 2]}\n", 3, "it has 2 inputs; send 1"),
        ("{\"inputs\": {\"motor\": 1}}\n", 3, "there is no input 'motor'"),
        ("{\"inputs\": [1e999]}\n", 3, "is refused"),
        ("nothing\n", 3, "send one object of JSON a line"),
        ("", 5, "raise --timeout"),
    ] {
        let (run, address) = serve(&shop, &[&model, "--timeout", "0.5"]);
        let mut link = std::net::TcpStream::connect(&address).unwrap();
        let mut lines = BufReader::new(link.try_clone().unwrap()).lines();
        let hello: serde_json::Value =
            serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert_eq!(hello["inputs"][0], "/models/balance/force_effectors/motor:excitation");
        assert_eq!(hello["sensors"][0], "/models/balance/sensors/lean:value");
        let first: serde_json::Value =
            serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        assert!((first["sensors"][0].as_f64().unwrap() - 0.1).abs() < 1e-9, "{first}");
        link.write_all(answer.as_bytes()).unwrap();
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{answer}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{answer}: {}", stderr(&output));
    }
}
