// The last moment before a request leaves: a question is asked when its connection stands and nothing has been written yet.
import type { Dispatcher } from 'undici';

/**
 * A dispatcher that calls `ask` right before it writes a request. When that throws, nothing is written and the request
 * rejects with what was thrown. Requests may wait long for a connection; what held when they were made may not any more.
 */
export function askingLast(dispatcher: Dispatcher, ask: () => void): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    const asking: Dispatcher.DispatchHandler = {
      onRequestStart(controller, context: unknown) {
        // What is thrown here ends the request, not its connection.
        ask();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
      onResponseStart: (...start) => handler.onResponseStart?.(...start),
      onResponseData: (...data) => handler.onResponseData?.(...data),
      onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
      onResponseError: (...error) => handler.onResponseError?.(...error),
    };
    return dispatch(options, asking);
  });
}
