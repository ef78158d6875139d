alias q=quick
