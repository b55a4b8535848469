package replay.driver;

/** What the service answered. */
record Answer(int status, String body) {}
