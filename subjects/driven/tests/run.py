# Reads what is expected, and compares it with what the program prints.
import pathlib, subprocess, sys
failed = 0
for path in sorted(pathlib.Path("tests/data").glob("*.in")):
    done = subprocess.run(["./calc"], stdin=path.open(), capture_output=True, text=True)
    expected = path.with_suffix(".want").read_text()
    if done.stdout != expected:
        print(path, "fails")
        failed = 1
sys.exit(failed)
