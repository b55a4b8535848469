package shop.customer;

import java.util.List;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import shop.support.RequestContext;

@RestController
@RequiredArgsConstructor
public class CustomerController {
    private final LoyaltyService loyalty;
    private final CustomerRepository customers;
    private final Sessions sessions;

    @GetMapping("/customers/{id}")
    public CustomerView view(@PathVariable long id) {
        return loyalty.view(id);
    }

    @PostMapping("/customers/{id}/points/redeem")
    public Map<String, Object> redeem(@PathVariable long id, @RequestParam int points) {
        return Map.of("credit", loyalty.redeem(id, points));
    }

    @GetMapping("/customers/ranking")
    public List<String> ranking() {
        return loyalty.ranking();
    }

    @PostMapping("/sessions")
    public Session logIn(@RequestParam long customer) {
        return sessions.open(customers.require(customer).getId());
    }

    @GetMapping("/sessions/{token}")
    public Map<String, Object> session(@PathVariable String token) {
        Session session = sessions.require(token);
        return Map.of("customer", session.customerId(), "expires", session.expiresAt(), "request", RequestContext.current().requestId());
    }

    @DeleteMapping("/sessions/{token}")
    public Map<String, Object> logOut(@PathVariable String token) {
        return Map.of("closed", sessions.close(token));
    }
}
