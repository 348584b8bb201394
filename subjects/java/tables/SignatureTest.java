import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.AlgorithmParameterSpec;
import org.junit.Before;
import org.junit.Test;

/** What the documentation of java.security.Signature promises, a test for each method. */
public class SignatureTest {
    private static KeyPair keys;
    private final byte[] data = "some text to be signed".getBytes();
    private Signature signature;

    @Before
    public void setUp() throws GeneralSecurityException {
        if (keys == null) {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            keys = generator.generateKeyPair();
        }
        signature = Signature.getInstance("SHA256withECDSA");
    }

    @Test
    public void signsAndVerifies() throws GeneralSecurityException {
        signature.initSign(keys.getPrivate());
        signature.update(data);
        byte[] signed = signature.sign();
        signature.initVerify(keys.getPublic());
        signature.update(data);
        assertTrue(signature.verify(signed));
        signature.update(data, 0, 3);
        assertFalse(signature.verify(signed));
    }

    @Test
    public void signsWithARandom() throws GeneralSecurityException {
        signature.initSign(keys.getPrivate(), new SecureRandom());
        signature.update(data[0]);
        signature.update(data, 1, 3);
        signature.update(ByteBuffer.wrap(data));
        assertNotNull(signature.sign());
        assertNotNull(signature.sign());
    }

    @Test
    public void signsIntoABuffer() throws GeneralSecurityException {
        signature.initSign(keys.getPrivate());
        signature.update(data);
        byte[] buffer = new byte[200];
        int length = signature.sign(buffer, 0, buffer.length);
        signature.initVerify(keys.getPublic());
        signature.update(data);
        assertTrue(signature.verify(buffer, 0, length));
        assertThrows(IllegalArgumentException.class, () -> signature.verify(buffer, 0, 300));
    }

    @Test
    public void signsNothingBeforeItIsInitialised() {
        assertThrows(SignatureException.class, signature::sign);
        assertThrows(SignatureException.class, () -> signature.update(data));
        assertThrows(SignatureException.class, () -> signature.update(data[0]));
        assertThrows(SignatureException.class, () -> signature.update(data, 0, 2));
        assertThrows(SignatureException.class, () -> signature.verify(data));
    }

    @Test
    public void signsNothingWhereItVerifies() throws GeneralSecurityException {
        signature.initVerify(keys.getPublic());
        assertThrows(SignatureException.class, signature::sign);
        signature.update(data[0]);
        signature.update(ByteBuffer.wrap(data));
        assertThrows(SignatureException.class, () -> signature.verify(new byte[3]));
    }

    @Test
    public void verifiesNothingWhereItSigns() throws GeneralSecurityException {
        signature.initSign(keys.getPrivate());
        assertThrows(SignatureException.class, () -> signature.verify(data));
    }

    @Test
    public void refusesOtherKeys() {
        assertThrows(InvalidKeyException.class, () -> signature.initSign((PrivateKey) null));
        assertThrows(InvalidKeyException.class, () -> signature.initVerify((PublicKey) null));
    }

    @Test
    public void tellsWhatItIs() throws GeneralSecurityException {
        assertEquals("SHA256withECDSA", signature.getAlgorithm());
        assertNotNull(signature.getProvider());
        assertTrue(signature.toString().contains("not initialized"));
        signature.initSign(keys.getPrivate());
        assertTrue(signature.toString().contains("signing"));
        assertNotNull(signature.getProvider());
        signature.initVerify(keys.getPublic());
        assertNotNull(signature.toString());
        assertEquals("SHA256withECDSA", signature.getAlgorithm());
    }

    @Test
    public void hasParameters() throws GeneralSecurityException {
        assertThrows(InvalidAlgorithmParameterException.class,
                () -> signature.setParameter(new AlgorithmParameterSpec() {}));
        assertThrows(ProviderException.class, () -> signature.getParameter("none"));
        signature.getParameters();
    }

    @Test
    public void isNotThereWithoutAnAlgorithm() {
        assertThrows(NoSuchAlgorithmException.class, () -> Signature.getInstance("nothing"));
    }
}
