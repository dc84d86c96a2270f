// Decides each request of a script: first by the flags, then by earlier answers, then by a question to the person at
// the terminal. If there is nobody to ask, the request is refused with a line that says how to allow it.

import { Denied } from '../../../runtime-host/api/node.ts';
import type { Grant, PermissionAnswer, PermissionDecision, PermissionHandler } from '../../../runtime-host/api/node.ts';
import { OperatorLog } from '../../../runtime-host/run/operator-log.ts';
import type { PermissionRequest } from '../../../runtime-host/namespaces/requests.ts';
import type { FlagPolicy, PermissionPrompt, Scope } from '../../../runtime-host/permissions/command-line/policy.ts';
import type { PromptAnswer } from './prompt.ts';
import type { PermissionFlags } from './read-flags.ts';

export interface Surroundings {
  /** Takes a line for the person who runs the script. */
  readonly log: (line: string) => void;
  /** Asks that person; null if there is nobody to ask. */
  readonly ask: ((prompt: PermissionPrompt<PermissionRequest>) => Promise<PromptAnswer>) | null;
}

export interface Decisions {
  readonly handler: PermissionHandler;
  /** The reason for a decision; null for a request without one. */
  readonly whyOf: (request: PermissionRequest) => string | null;
  /** Takes each decision of the host, so that a request which the host itself denies gets a line as well. */
  readonly hear: (decision: PermissionDecision) => void;
  /** Prints how many refusals were left out. */
  readonly close: () => void;
}

/** The handler for one command: an answer for the run holds for all of its runs. */
export function decideBy(flags: PermissionFlags, { log, ask }: Surroundings): Decisions {
  /** The permissions that were granted for the run, each with the policy of its namespace. */
  const scopes: { readonly policy: FlagPolicy<PermissionRequest>; readonly scope: Scope<PermissionRequest> }[] = [];
  const deniedTopics = new Set<string>();
  const refusals = new OperatorLog(log, (more) => `denied: ${more} more requests`);
  let lastQuestion: Promise<unknown> = Promise.resolve();
  let isGone = ask === null;
  const reasons = new WeakMap<PermissionRequest, string>();

  const because = <Answer>(request: PermissionRequest, why: string, answer: Answer): Answer => {
    reasons.set(request, why);
    return answer;
  };

  const deny = (
    request: PermissionRequest,
    { call, ruledOut, flag }: PermissionPrompt<PermissionRequest>,
  ): PermissionAnswer => {
    const why = ruledOut ?? (flag === null ? 'its directory does not exist' : `allow it with ${flag}`);
    refusals.tell(`denied: ${call} (${why})`);
    return because(request, ruledOut ?? 'no flag allows it', Denied());
  };

  const decideNow = (request: PermissionRequest): Grant | null => {
    for (const { policy, scope } of scopes) {
      const grant = policy === flags.policyFor(request) ? scope.allows(request) : null;
      if (grant !== null) return grant;
    }
    return null;
  };

  const question = async (
    request: PermissionRequest,
    prompt: PermissionPrompt<PermissionRequest>,
  ): Promise<PermissionAnswer> => {
    // Another answer may have decided this request while it waited for its turn.
    const settled = decideNow(request);
    if (settled !== null) return because(request, 'it was allowed for the run', settled);
    if (deniedTopics.has(prompt.topic.id)) return because(request, 'it was denied for the run', Denied());
    const answer = isGone ? 'gone' : await ask!(prompt);
    switch (answer) {
      case 'once':
        return because(request, 'it was allowed once', prompt.grant);
      case 'run':
        scopes.push({ policy: flags.policyFor(request), scope: prompt.scope! });
        return because(request, 'it was allowed for the run', prompt.grant);
      case 'deny':
        return because(request, 'it was denied when asked', Denied());
      case 'deny-topic':
        deniedTopics.add(prompt.topic.id);
        return because(request, 'it was denied for the run', Denied());
      case 'gone':
        isGone = true;
        return deny(request, prompt);
    }
  };

  const handler: PermissionHandler = (request) => {
    const policy = flags.policyFor(request);
    const denying = policy.denyingFlag(request);
    if (denying !== null) {
      refusals.tell(`denied: ${policy.prompt(request).call} (${denying})`);
      return because(request, denying, Denied());
    }
    const allowed = policy.grant(request);
    if (allowed !== null) return because(request, 'a flag allows it', allowed);
    const settled = decideNow(request);
    if (settled !== null) return because(request, 'it was allowed for the run', settled);
    const prompt = policy.prompt(request);
    if (deniedTopics.has(prompt.topic.id)) return because(request, 'it was denied for the run', Denied());
    if (isGone || prompt.ruledOut !== null) return deny(request, prompt);
    const answer = lastQuestion.then(() => question(request, prompt));
    lastQuestion = answer.catch(() => {});
    return answer;
  };
  const granted = new WeakSet<PermissionRequest>();
  const hear = ({ request, answer, reason }: PermissionDecision): void => {
    if (answer === 'granted') granted.add(request);
    if (answer === 'granted' || !granted.has(request)) return;
    const policy = flags.policyFor(request);
    const why = policy.limiting(request, reason?.replace(/^\S+ denied: /, '') ?? '');
    if (why !== null) refusals.tell(`denied: ${policy.prompt(request).call} (${why})`);
  };
  return { handler, hear, whyOf: (request) => reasons.get(request) ?? null, close: () => refusals.close() };
}
