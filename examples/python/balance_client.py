"""A controller over a socket: keeps the rod of examples/balance.toml upright.

    sinew serve examples/balance.toml --interval 0.01 --time 3
    python3 examples/python/balance_client.py 127.0.0.1:5555

Only the standard library is used. The protocol: docs/howto/serve.md.
"""

import json
import socket
import sys


def main(address: str) -> int:
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=30) as link:
        lines = link.makefile("rw", encoding="utf-8", newline="\n")
        hello = json.loads(lines.readline())
        lean = next(k for k, name in enumerate(hello["sensors"]) if "/lean:" in name)
        interval, before, last = hello["interval"], None, None
        for line in lines:
            message = json.loads(line)
            if "sensors" not in message:
                break
            last = message["sensors"][lean]
            rate = 0.0 if before is None else (last - before) / interval
            before = last
            # Moment over 20 N m, the largest: 60 N m a radian, 12 N m a radian a second.
            excitation = max(-1.0, min(1.0, (-60.0 * last - 12.0 * rate) / 20.0))
            lines.write(json.dumps({"inputs": [excitation]}) + "\n")
            lines.flush()
    if "error" in message:
        print(f"the simulation failed: {message['error']}", file=sys.stderr)
        return 1
    print(f"t = {message['time']:.3f} s, lean {last:.6f} rad")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:5555"))
