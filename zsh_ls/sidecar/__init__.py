"""The façade: run, poll, send, kill, output, insights, in the editor's words and no protocol's."""
