import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.mail.smtp.SMTPTransport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Properties;
import javax.mail.Address;
import javax.mail.MessagingException;
import javax.mail.Session;
import javax.mail.URLName;
import javax.mail.internet.InternetAddress;
import javax.mail.internet.MimeMessage;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Mails are sent to a server of our own on the loopback. */
public class MailTest {
    private ServerSocket server;
    private SMTPTransport transport;
    private Session session;

    @Before
    public void listen() throws IOException, MessagingException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve);
        thread.setDaemon(true);
        thread.start();
        Properties properties = new Properties();
        properties.put("mail.smtp.localhost", "localhost");
        properties.put("mail.smtp.timeout", "3000");
        session = Session.getInstance(properties);
        transport = new SMTPTransport(session, new URLName("smtp", "127.0.0.1", server.getLocalPort(), null, "u", "p"));
    }

    @After
    public void stop() throws IOException {
        server.close();
    }

    /** Says yes to everything. */
    private void serve() {
        while (true) {
            try (Socket socket = server.accept()) {
                talk(socket);
            } catch (IOException error) {
                if (server.isClosed()) {
                    return;
                }
            }
        }
    }

    private static void talk(Socket socket) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream()));
        say(socket, "220 here");
        boolean data = false;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (data) {
                data = !line.equals(".");
                if (!data) {
                    say(socket, "250 taken");
                }
            } else if (line.equals("DATA")) {
                data = true;
                say(socket, "354 go on");
            } else if (line.equals("QUIT")) {
                say(socket, "221 bye");
                return;
            } else {
                say(socket, "250 yes");
            }
        }
    }

    private static void say(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\r\n").getBytes());
    }

    private MimeMessage message() throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress("me@localhost"));
        message.setRecipients(MimeMessage.RecipientType.TO, "you@localhost");
        message.setText("a text");
        message.saveChanges();
        return message;
    }

    private void connect() throws MessagingException {
        transport.connect("127.0.0.1", server.getLocalPort(), null, null);
    }

    @Test
    public void sends() throws MessagingException {
        assertFalse(transport.isConnected());
        connect();
        assertTrue(transport.isConnected());
        MimeMessage message = message();
        transport.sendMessage(message, message.getAllRecipients());
        transport.close();
        assertFalse(transport.isConnected());
    }

    @Test
    public void sendsTwice() throws MessagingException {
        connect();
        MimeMessage message = message();
        Address[] to = message.getAllRecipients();
        transport.sendMessage(message, to);
        transport.sendMessage(message, to);
        transport.close();
    }

    @Test
    public void sendsNothingBeforeItIsConnected() throws MessagingException {
        MimeMessage message = message();
        assertThrows(IllegalStateException.class, () -> transport.sendMessage(message, message.getAllRecipients()));
    }
}
