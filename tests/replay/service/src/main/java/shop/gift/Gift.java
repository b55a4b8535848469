package shop.gift;

import java.util.ArrayList;
import java.util.List;

/** A present on its way through the packing room. */
public class Gift {
    private final String recipient;
    private final List<String> steps = new ArrayList<>();
    private boolean wrapped;
    private String ribbon;

    public Gift(String recipient) {
        this.recipient = recipient;
    }

    public String getRecipient() {
        return recipient;
    }

    public boolean isWrapped() {
        return wrapped;
    }

    public void setWrapped(boolean wrapped) {
        this.wrapped = wrapped;
    }

    public String getRibbon() {
        return ribbon;
    }

    public void setRibbon(String ribbon) {
        this.ribbon = ribbon;
    }

    public List<String> getSteps() {
        return steps;
    }

    public void addStep(String step) {
        steps.add(step);
    }
}
