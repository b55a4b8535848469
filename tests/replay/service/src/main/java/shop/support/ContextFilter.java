package shop.support;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Opens and closes the context of each request. */
@Component
public class ContextFilter extends OncePerRequestFilter {
    private static final int LANGUAGE_LETTERS = 2;

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) throws ServletException, IOException {
        RequestContext.open(language(request), request.getHeader("X-Partner") != null);
        try {
            chain.doFilter(request, response);
        } finally {
            RequestContext.close();
        }
    }

    private static String language(HttpServletRequest request) {
        String accepted = request.getHeader("Accept-Language");
        return accepted == null || accepted.length() < LANGUAGE_LETTERS ? null : accepted.substring(0, LANGUAGE_LETTERS);
    }
}
