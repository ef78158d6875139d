"""The frontend for agents: the Model Context Protocol over standard input and output, on the official SDK."""
