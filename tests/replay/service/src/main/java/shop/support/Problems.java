package shop.support;

import java.util.LinkedHashMap;
import java.util.Map;
import lombok.extern.slf4j.Slf4j;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns exceptions into answers. */
@Slf4j
@RestControllerAdvice
public class Problems {
    @ExceptionHandler
    public ResponseEntity<Map<String, Object>> onShopException(ShopException e) {
        return answer(e.getStatus(), e.getCode(), e.getMessage());
    }

    @ExceptionHandler
    public ResponseEntity<Map<String, Object>> onIllegalArgument(IllegalArgumentException e) {
        return answer(400, "invalid", e.getMessage());
    }

    @ExceptionHandler
    public ResponseEntity<Map<String, Object>> onAnythingElse(RuntimeException e) {
        log.warn("request failed: {}", e.toString());
        return answer(500, "internal", e.getClass().getSimpleName());
    }

    private static ResponseEntity<Map<String, Object>> answer(int status, String code, String message) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("code", code);
        body.put("message", message);
        return ResponseEntity.status(status).body(body);
    }
}
