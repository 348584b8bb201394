import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The acceptor's tests, one of which unbinds once too often. */
public class AcceptorTest {
    @Test
    public void binds() {
        Acceptor acceptor = new Acceptor();
        acceptor.bind("here");
        assertEquals("here", acceptor.address());
        acceptor.unbind();
        assertEquals("", acceptor.address());
    }

    @Test
    public void bindsAgain() {
        Acceptor acceptor = new Acceptor();
        acceptor.bind("here");
        acceptor.unbind();
        acceptor.bind("there");
        assertEquals("there", acceptor.address());
    }

    @Test
    public void unbindsTwice() {
        Acceptor acceptor = new Acceptor();
        acceptor.bind("here");
        acceptor.unbind();
        acceptor.unbind();
    }
}
