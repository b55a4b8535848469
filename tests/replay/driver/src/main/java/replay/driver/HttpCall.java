package replay.driver;

/** A request to the service. What it is called by does not change between recording and replay. */
record HttpCall(String id, String method, String path, String body) {
    @Override
    public String toString() {
        return id + " " + method + " " + path;
    }
}
