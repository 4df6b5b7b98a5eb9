// A thread for the tests of pools: it fails while it starts.
throw new Error('This thread does not start.')
