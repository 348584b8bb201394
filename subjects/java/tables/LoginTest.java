import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.security.Principal;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import org.junit.Test;

/** A login module as the guide to the Java Authentication and Authorization Service describes them, and its tests. */
public class LoginTest {
    /** Somebody. */
    public static final class Somebody implements Principal {
        @Override
        public String getName() {
            return "somebody";
        }
    }

    /** Lets somebody in. */
    public static class Module implements LoginModule {
        private Subject subject;
        private CallbackHandler handler;
        private Principal principal;
        private boolean succeeded;
        private boolean committed;

        @Override
        public void initialize(Subject subject, CallbackHandler handler, Map<String, ?> shared, Map<String, ?> options) {
            this.subject = subject;
            this.handler = handler;
        }

        @Override
        public boolean login() throws LoginException {
            if (handler == null) {
                throw new LoginException("nobody to ask");
            }
            NameCallback name = new NameCallback("who");
            try {
                handler.handle(new NameCallback[] {name});
            } catch (java.io.IOException | javax.security.auth.callback.UnsupportedCallbackException error) {
                throw new LoginException(error.toString());
            }
            if (!"somebody".equals(name.getName())) {
                throw new LoginException("not known");
            }
            succeeded = true;
            return true;
        }

        @Override
        public boolean commit() throws LoginException {
            if (!succeeded) {
                return false;
            }
            principal = new Somebody();
            subject.getPrincipals().add(principal);
            committed = true;
            return true;
        }

        @Override
        public boolean abort() throws LoginException {
            if (!succeeded) {
                return false;
            }
            if (committed) {
                logout();
            }
            succeeded = false;
            return true;
        }

        @Override
        public boolean logout() throws LoginException {
            subject.getPrincipals().remove(principal);
            succeeded = false;
            committed = false;
            principal = null;
            return true;
        }
    }

    private final Subject subject = new Subject();

    private Module module(String name) {
        Module module = new Module();
        CallbackHandler handler = callbacks -> ((NameCallback) callbacks[0]).setName(name);
        module.initialize(subject, handler, Map.of(), Map.of());
        return module;
    }

    @Test
    public void letsSomebodyIn() throws LoginException {
        Module module = module("somebody");
        assertTrue(module.login());
        assertTrue(module.commit());
        assertEquals(1, subject.getPrincipals().size());
        assertTrue(module.logout());
        assertEquals(0, subject.getPrincipals().size());
    }

    @Test
    public void letsNobodyElseIn() throws LoginException {
        Module module = module("another");
        assertThrows(LoginException.class, module::login);
        assertEquals(false, module.commit());
    }

    @Test
    public void aborts() throws LoginException {
        Module module = module("somebody");
        assertTrue(module.login());
        assertTrue(module.abort());
    }
}
