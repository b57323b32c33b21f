"""One module for each simulator that compare.py knows, each with a class that writes its input, runs it and reads its answers."""
