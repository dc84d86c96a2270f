// The decision about each request of a script: flags, then what was answered before, then a question if there is
// somebody to ask, else a refusal with a line that says how to allow it.

import { Denied } from '../../../runtime-host/api/node.ts';
import type { Grant, PermissionAnswer, PermissionHandler } from '../../../runtime-host/api/node.ts';
import { OperatorLog } from '../../../runtime-host/run/operator-log.ts';
import { FileRequest } from '../../../runtime-host/namespaces/file/requests.ts';
import { HttpRequest } from '../../../runtime-host/namespaces/http/requests.ts';
import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import { denyingFlag } from './denials.ts';
import { grantFile, wishForFile } from './files.ts';
import { grantHttp, wishForHttp } from './http.ts';
import { grantNamed, wishForNamed } from './names.ts';
import type { PromptAnswer } from './prompt.ts';
import type { PermissionFlags } from './read-flags.ts';
import type { Scope, Wish } from './wish.ts';

export interface Surroundings {
  /** Where relative paths begin. */
  readonly baseDir: string;
  /** Takes a line for the person who runs the script. */
  readonly log: (line: string) => void;
  /** Puts a question to that person; null where there is nobody to ask. */
  readonly ask: ((wish: Wish) => Promise<PromptAnswer>) | null;
}

export interface Decisions {
  readonly handler: PermissionHandler;
  /** Why a request was answered as it was; null for one that was not. */
  readonly whyOf: (request: PermissionRequest) => string | null;
  /** Tells how many refusals had no line any more. */
  readonly close: () => void;
}

/** The handler for one command: what is answered for the run holds for all of its runs. */
export function decideBy(flags: PermissionFlags, { baseDir, log, ask }: Surroundings): Decisions {
  const scopes: Scope[] = [];
  const deniedTopics = new Set<string>();
  const refusals = new OperatorLog(log, (more) => `denied: ${more} more requests`);
  let lastQuestion: Promise<unknown> = Promise.resolve();
  let isGone = ask === null;
  const reasons = new WeakMap<PermissionRequest, string>();

  const because = <Answer>(request: PermissionRequest, why: string, answer: Answer): Answer => {
    reasons.set(request, why);
    return answer;
  };

  const deny = (request: PermissionRequest, { call, ruledOut, flag }: Wish): PermissionAnswer => {
    const why = ruledOut ?? (flag === null ? 'its directory does not exist' : `allow it with ${flag}`);
    refusals.tell(`denied: ${call} (${why})`);
    return because(request, ruledOut ?? 'no flag allows it', Denied());
  };

  const decideNow = (request: PermissionRequest): Grant | null => {
    for (const scope of scopes) {
      const grant = scope.allows(request);
      if (grant !== null) return grant;
    }
    return null;
  };

  const question = async (request: PermissionRequest, wish: Wish): Promise<PermissionAnswer> => {
    // Answers that were given while this one waited for its turn.
    const settled = decideNow(request);
    if (settled !== null) return because(request, 'it was allowed for the run', settled);
    if (deniedTopics.has(wish.topic.id)) return because(request, 'it was denied for the run', Denied());
    const answer = isGone ? 'gone' : await ask!(wish);
    switch (answer) {
      case 'once':
        return because(request, 'it was allowed once', wish.grant);
      case 'run':
        scopes.push(wish.scope!);
        return because(request, 'it was allowed for the run', wish.grant);
      case 'deny':
        return because(request, 'it was denied when asked', Denied());
      case 'deny-topic':
        deniedTopics.add(wish.topic.id);
        return because(request, 'it was denied for the run', Denied());
      case 'gone':
        isGone = true;
        return deny(request, wish);
    }
  };

  const handler: PermissionHandler = (request) => {
    const denying = denyingFlag(flags, request);
    if (denying !== null) {
      refusals.tell(`denied: ${wishFor(flags, request, baseDir).call} (${denying})`);
      return because(request, denying, Denied());
    }
    const allowed = grantByFlags(flags, request);
    if (allowed !== null) return because(request, 'a flag allows it', allowed);
    const settled = decideNow(request);
    if (settled !== null) return because(request, 'it was allowed for the run', settled);
    const wish = wishFor(flags, request, baseDir);
    if (deniedTopics.has(wish.topic.id)) return because(request, 'it was denied for the run', Denied());
    if (isGone || wish.ruledOut !== null) return deny(request, wish);
    const answer = lastQuestion.then(() => question(request, wish));
    lastQuestion = answer.catch(() => {});
    return answer;
  };
  return { handler, whyOf: (request) => reasons.get(request) ?? null, close: () => refusals.close() };
}

function grantByFlags(flags: PermissionFlags, request: PermissionRequest): Grant | null {
  if (request instanceof FileRequest) return grantFile(flags, request);
  return request instanceof HttpRequest ? grantHttp(flags, request) : grantNamed(flags, request);
}

function wishFor(flags: PermissionFlags, request: PermissionRequest, baseDir: string): Wish {
  if (request instanceof FileRequest) return wishForFile(flags, request, baseDir);
  return request instanceof HttpRequest ? wishForHttp(flags, request) : wishForNamed(flags, request);
}
