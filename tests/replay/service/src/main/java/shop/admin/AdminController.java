package shop.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import shop.config.FeatureFlags;
import shop.config.PushedSettings;
import shop.support.ShopException;

@RestController
@RequestMapping("/admin")
@RequiredArgsConstructor
public class AdminController {
    private final AboutService about;
    private final StatisticsService statistics;
    private final PushedSettings settings;

    @GetMapping("/about")
    public Map<String, Object> about() {
        return about.about();
    }

    @GetMapping("/statistics")
    public Map<String, Object> statistics() {
        return statistics.statistics();
    }

    @GetMapping("/loads")
    public Map<String, Integer> loads() {
        return statistics.loads();
    }

    @GetMapping("/last-note")
    public Map<String, Object> lastNote() {
        return Map.of("note", statistics.lastNote());
    }

    @GetMapping("/flags")
    public Map<String, Boolean> flags() {
        return FeatureFlags.all();
    }

    @PostMapping("/flags/{name}")
    public Map<String, Object> setFlag(@PathVariable String name, @RequestParam boolean on) {
        return Map.of("flag", name, "former", FeatureFlags.set(name, on));
    }

    @PostMapping("/settings/{key}")
    public Map<String, Object> push(@PathVariable String key, @RequestParam String value) {
        if (!settings.onPush(key, value)) {
            throw ShopException.notFound("setting", key);
        }
        Map<String, Object> res = new LinkedHashMap<>();
        res.put("key", key);
        res.put("pushes", settings.pushes());
        return res;
    }

    @GetMapping("/banner")
    public Map<String, Object> banner() {
        return Map.of("banner", settings.banner());
    }
}
