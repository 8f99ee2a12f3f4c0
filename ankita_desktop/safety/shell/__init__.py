"""What a shell command would do, read from its text: words, parts, and what each part is known to do.

Only what is known to read is called safe, so that anything unforeseen is asked, never let through.
"""
