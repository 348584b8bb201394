import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What the documentation of java.net.Socket promises, against a server of our own on the loopback. */
public class SocketTest {
    private ServerSocket server;
    private final InetAddress here = InetAddress.getLoopbackAddress();

    @Before
    public void listen() throws IOException {
        server = new ServerSocket(0, 10, here);
    }

    @After
    public void stop() throws IOException {
        server.close();
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(here, server.getLocalPort());
    }

    @Test
    public void connects() throws IOException {
        Socket socket = new Socket();
        assertFalse(socket.isConnected());
        assertFalse(socket.isBound());
        assertNull(socket.getInetAddress());
        assertNull(socket.getRemoteSocketAddress());
        assertEquals(0, socket.getPort());
        socket.connect(address());
        assertTrue(socket.isConnected());
        assertTrue(socket.isBound());
        assertEquals(server.getLocalPort(), socket.getPort());
        assertNotNull(socket.getLocalAddress());
        assertNotNull(socket.getLocalSocketAddress());
        assertNotNull(socket.getRemoteSocketAddress());
        assertThrows(SocketException.class, () -> socket.connect(address()));
        socket.close();
        assertTrue(socket.isClosed());
        assertThrows(SocketException.class, () -> socket.connect(address()));
    }

    @Test
    public void connectsInTime() throws IOException {
        Socket socket = new Socket();
        socket.connect(address(), 1000);
        assertThrows(IllegalArgumentException.class, () -> socket.connect(address(), -1));
        socket.close();
        socket.close();
    }

    @Test
    public void doesNotConnectToNothing() throws IOException {
        InetSocketAddress nowhere = address();
        server.close();
        Socket socket = new Socket();
        assertThrows(ConnectException.class, () -> socket.connect(nowhere));
        assertThrows(ConnectException.class, () -> new Socket(here, nowhere.getPort()));
    }

    @Test
    public void binds() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(here, 0));
        assertTrue(socket.isBound());
        assertTrue(socket.getLocalPort() > 0);
        assertThrows(SocketException.class, () -> socket.bind(new InetSocketAddress(here, 0)));
        socket.connect(address());
        socket.close();
        assertThrows(SocketException.class, () -> socket.bind(new InetSocketAddress(here, 0)));
    }

    @Test
    public void sendsAndReceives() throws IOException {
        try (Socket socket = new Socket(here, server.getLocalPort()); Socket other = server.accept()) {
            socket.getOutputStream().write(7);
            assertEquals(7, other.getInputStream().read());
            other.getOutputStream().write(8);
            assertEquals(8, socket.getInputStream().read());
            socket.shutdownOutput();
            assertTrue(socket.isOutputShutdown());
            assertThrows(SocketException.class, socket::getOutputStream);
            assertEquals(-1, other.getInputStream().read());
            socket.shutdownInput();
            assertTrue(socket.isInputShutdown());
            assertThrows(SocketException.class, socket::getInputStream);
        }
    }

    @Test
    public void doesNothingBeforeItIsConnected() throws IOException {
        Socket socket = new Socket();
        assertThrows(SocketException.class, socket::getInputStream);
        assertThrows(SocketException.class, socket::getOutputStream);
        assertThrows(SocketException.class, socket::shutdownInput);
        assertThrows(SocketException.class, socket::shutdownOutput);
        socket.close();
        assertThrows(SocketException.class, socket::getInputStream);
    }

    @Test
    public void hasOptions() throws IOException {
        Socket socket = new Socket(here, server.getLocalPort());
        socket.setTcpNoDelay(true);
        assertTrue(socket.getTcpNoDelay());
        socket.setSoLinger(true, 3);
        assertEquals(3, socket.getSoLinger());
        socket.setSoTimeout(100);
        assertEquals(100, socket.getSoTimeout());
        socket.setSendBufferSize(4096);
        assertTrue(socket.getSendBufferSize() > 0);
        socket.setReceiveBufferSize(4096);
        assertTrue(socket.getReceiveBufferSize() > 0);
        socket.setKeepAlive(true);
        assertTrue(socket.getKeepAlive());
        socket.setTrafficClass(4);
        socket.getTrafficClass();
        socket.setReuseAddress(true);
        assertTrue(socket.getReuseAddress());
        socket.setOOBInline(true);
        assertTrue(socket.getOOBInline());
        socket.sendUrgentData(1);
        socket.setPerformancePreferences(1, 1, 1);
        assertNull(socket.getChannel());
        assertNotNull(socket.toString());
        socket.close();
        assertThrows(SocketException.class, () -> socket.setSoTimeout(1));
    }
}
