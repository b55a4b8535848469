package shop.admin;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import lombok.RequiredArgsConstructor;
import org.springframework.stereotype.Service;
import shop.config.Site;

/** What operators want to know of an instance. */
@Service
@RequiredArgsConstructor
public class AboutService {
    private final Site site;

    public Map<String, Object> about() {
        Map<String, Object> res = new LinkedHashMap<>();
        res.put("site", site.label());
        res.put("host", host());
        res.put("process", ProcessHandle.current().pid());
        res.put("threads", Thread.activeCount() > 0);
        res.put("uptime", uptime());
        res.put("java", Runtime.version().feature());
        return res;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String uptime() {
        Duration up = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        return up.toMinutes() + " min " + up.toSecondsPart() + " s";
    }
}
