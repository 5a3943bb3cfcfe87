"""The nano profile's model: a tiny Gemma 4 that is made and taught here, from nothing, offline."""
