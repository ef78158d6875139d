"""Exit statuses: what they mean, who looks at them, and which pipeline's status a script reported."""
