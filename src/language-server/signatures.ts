// What the call wants in which the cursor stands.

import type { ServerCapabilities, SignatureHelp } from 'vscode-languageserver';
import { signatureAt } from '../queries/index.ts';
import { markup } from './hovers.ts';
import { atPosition } from './requests.ts';
import type { Session } from './session.ts';

export const signatureCapabilities: ServerCapabilities = {
  signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
};

export function answerSignatures(session: Session): void {
  const { connection } = session;
  connection.onSignatureHelp(
    atPosition(session, ({ analysis, file, offset }): SignatureHelp | null => {
      const found = signatureAt(analysis, file.name, offset);
      if (found === null) return null;
      const formats = session.client.textDocument?.signatureHelp?.signatureInformation?.documentationFormat;
      const { label, documentation, parameters, active } = found;
      return {
        signatures: [
          {
            label,
            ...(documentation === null ? {} : { documentation: markup(documentation, formats) }),
            parameters: parameters.map(({ start, end }) => ({ label: [start, end] })),
            // One that there is not: clients mark nothing.
            activeParameter: active ?? parameters.length,
          },
        ],
        activeSignature: 0,
        activeParameter: active ?? parameters.length,
      };
    }),
  );
}
