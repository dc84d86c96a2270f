// Templates: texts and values joined. A value that is a constant text joins its neighbours at once.

import type { Expression as Syntax } from '../1-parse/syntax-tree.ts';
import { stringType } from '../language/types.ts';
import type { FunctionChecker } from './checker.ts';
import { isInvalid } from './checker.ts';
import { checkValue } from './conversions.ts';
import type { Expression } from './typed-tree.ts';

export function checkTemplate(fc: FunctionChecker, node: Syntax & { readonly kind: 'template' }): Expression {
  const { span } = node;
  const parts: Expression[] = [];
  const addText = (value: string): void => {
    const last = parts.at(-1);
    if (last?.kind === 'string') parts[parts.length - 1] = { ...last, value: last.value + value };
    else if (value !== '') parts.push({ kind: 'string', value, type: stringType, span });
  };
  addText(node.texts[0]!);
  node.expressions.forEach((expression, index) => {
    const value = checkValue(fc, expression);
    if (value.kind === 'string') addText(value.value);
    else if (value.type.kind === 'null') addText('null');
    else if (!isInvalid(value))
      parts.push({ kind: 'to-text', operand: value, type: stringType, span: expression.span });
    addText(node.texts[index + 1]!);
  });
  if (parts.length === 0) return { kind: 'string', value: '', type: stringType, span };
  return parts.length === 1 ? parts[0]! : { kind: 'concat', parts, type: stringType, span };
}
