package replay.driver;

import java.nio.file.Path;

/** Where what is tested lies. */
record Place(Path mockpoint, Path sources, Path classes, Path libraries, Path agent, Path agentLibraries, Path peer, Path fakeTime, Path work) {
    /** The same with another build of the service. */
    Place with(Path otherSources, Path otherClasses) {
        return new Place(mockpoint, otherSources, otherClasses, libraries, agent, agentLibraries, peer, fakeTime, work);
    }
}
