//! The wrapper alone, around services made of closures.

use std::convert::Infallible;
use std::sync::Mutex;

use serde_json::json;
use tower::util::{BoxService, service_fn};

use super::*;

type Toy = Guarded<BoxService<Request, Option<Response>, Infallible>>;

fn guarded<F, Fut>(handler: F) -> Toy
where
    F: FnMut(Request) -> Fut + Send + 'static,
    Fut: Future<Output = Answer<Infallible>> + Send + 'static,
{
    Guarded::new(BoxService::new(service_fn(handler)))
}

fn request(method: &'static str, id: Option<i64>) -> Request {
    let builder = Request::build(method);
    match id {
        Some(id) => builder.id(id).finish(),
        None => builder.finish(),
    }
}

fn code_of(answer: Answer<Infallible>) -> Option<i64> {
    let Ok(response) = answer;
    response?.error().map(|error| error.code.code())
}

#[tokio::test]
async fn the_part_before_the_first_wait_runs_in_the_call() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let mut service = guarded(move |request| {
        let log = Arc::clone(&log);
        async move {
            log.lock().unwrap().push(request.method().to_owned());
            tokio::task::yield_now().await;
            log.lock().unwrap().push(format!("{} later", request.method()));
            Ok(None)
        }
    });
    let first = service.call(request("a", None));
    let second = service.call(request("b", Some(1)));
    // Neither future was polled.
    assert_eq!(*seen.lock().unwrap(), ["a", "b"]);
    // The notification goes on without being waited for.
    drop(first);
    assert_eq!(second.await, Ok(None));
    tokio::task::yield_now().await;
    assert_eq!(*seen.lock().unwrap(), ["a", "b", "a later", "b later"]);
}

#[tokio::test]
async fn a_panic_becomes_an_answer_wherever_it_happens() {
    let mut in_call = guarded(|_| -> std::future::Ready<Answer<Infallible>> { panic!("in the call") });
    assert_eq!(code_of(in_call.call(request("m", Some(1))).await), Some(-32603));
    assert_eq!(in_call.call(request("m", None)).await, Ok(None));

    let mut at_once = guarded(|_| async { panic!("at once") });
    assert_eq!(code_of(at_once.call(request("m", Some(1))).await), Some(-32603));
    assert_eq!(at_once.call(request("m", None)).await, Ok(None));

    let mut later = guarded(|_| async {
        tokio::task::yield_now().await;
        panic!("{}", "later")
    });
    assert_eq!(code_of(later.call(request("m", Some(1))).await), Some(-32603));
    assert_eq!(later.call(request("m", None)).await, Ok(None));
}

#[tokio::test]
async fn the_life_of_a_session_is_noted() {
    let mut service = guarded(|_| async { Ok(None) });
    let lifecycle = service.lifecycle();
    let initialize = |pid| Request::build("initialize").params(json!({ "processId": pid })).id(1).finish();
    let _ = service.call(initialize(json!(null))).await;
    let _ = service.call(initialize(json!("no number"))).await;
    let _ = service.call(initialize(json!(-4))).await;
    assert_eq!(lifecycle.client_pid.get(), None);
    let _ = service.call(initialize(json!(17))).await;
    let _ = service.call(initialize(json!(18))).await;
    assert_eq!(lifecycle.client_pid().await, 17);

    assert_eq!(lifecycle.exit_code(), 1);
    let _ = service.call(request("shutdown", Some(2))).await;
    assert_eq!(lifecycle.exit_code(), 0);
    let _ = service.call(request("exit", None)).await;
    lifecycle.exited().await;
}
