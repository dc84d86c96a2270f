# A program as one writes it with pandas: a function for each row, from CSV to CSV.
#
#   python3 pandas_rows.py JOB INPUT OUTPUT

import importlib.util
import json
import os
import resource
import sys

import pandas

job, source, target = sys.argv[1:4]
spec = importlib.util.spec_from_file_location("job", job)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
frame = pandas.read_csv(source, usecols=module.columns)
module.run(frame, pandas).to_csv(target, index=False)

used = resource.getrusage(resource.RUSAGE_SELF)
usage = {"cpuMs": (used.ru_utime + used.ru_stime) * 1000, "bytes": used.ru_maxrss * 1024}
os.write(3, json.dumps(usage).encode())
