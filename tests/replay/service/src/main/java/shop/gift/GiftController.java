package shop.gift;

import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequiredArgsConstructor
public class GiftController {
    private final GiftService gifts;

    @PostMapping("/gifts")
    public GiftCard prepare(@RequestParam String recipient, @RequestParam(required = false) String note) {
        return gifts.prepare(recipient, note);
    }
}
