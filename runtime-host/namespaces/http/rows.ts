// The Http namespace: every call asks the host for permission.

import { host } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';

const denied =
  'SecurityError if the host denies it, NetworkError if there is no answer or its status is not 200 to 299.';

export const rows = library('Http', "HTTP requests, each call with the host's permission.", [
  fn(
    'string get(string url)',
    `The body of the answer to a GET. ${denied}`,
    host('Http.Get'),
    'Http.get("https://example.com/greeting") → Hello',
  ),
  fn(
    'json getJson(string url)',
    `The body of the answer to a GET, as JSON. ParseError if it is none. ${denied}`,
    host('Http.Get'),
    'Http.getJson("https://example.com/point").getInt("x", 0) → 3',
  ),
  fn(
    'string post(string url, string body)',
    `The body of the answer to a POST, which sends the body as JSON if it is JSON, otherwise as text. ${denied}`,
    host('Http.Post'),
    'Http.post("https://example.com/echo", "hi") → hi',
  ),
  fn(
    'string put(string url, string body)',
    `As post, with PUT. ${denied}`,
    host('Http.Put'),
    'Http.put("https://example.com/echo", "hi") → hi',
  ),
  fn(
    'string delete(string url)',
    `The body of the answer to a DELETE. ${denied}`,
    host('Http.Delete'),
    'Http.delete("https://example.com/greeting") → gone',
  ),
]);
