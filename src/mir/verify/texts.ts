// Texts that are put together: their pieces, and the locals of those that loops append to.

import type { AppendText, BuildText, BuiltLength, BuiltText, Expression, GrowingText, TextPiece } from '../mir.ts';
import { isShortText } from '../builders.ts';
import type { Node } from '../children.ts';
import { doubleType, hiddenTypes, intType, stringType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { FunctionVerifier } from './function-verifier.ts';

const pieceTypes: Readonly<Record<TextPiece['append'], Type>> = {
  text: stringType,
  'short-text': stringType,
  'code-unit': intType,
  character: intType,
  int: intType,
  double: doubleType,
};

const builderType = hiddenTypes.get('TextBuilder')!;

/** Whether a text can be seen not to be null. */
export function isNeverNullText(text: Expression): boolean {
  return text.kind === 'string' || text.kind === 'check-null' || text.kind === 'to-text' || text.kind === 'character';
}

export function verifyBuildText(v: FunctionVerifier, node: BuildText): void {
  verifyPieces(v, node, node.pieces);
  v.is(node, stringType);
}

export function verifyAppendText(v: FunctionVerifier, node: AppendText): void {
  verifyGrowing(v, node, node);
  verifyPieces(v, node, node.pieces);
}

export function verifyBuilt(v: FunctionVerifier, node: BuiltText | BuiltLength): void {
  verifyGrowing(v, node, node);
  v.is(node, node.kind === 'built-text' ? stringType : intType);
}

function verifyPieces(v: FunctionVerifier, node: Node, pieces: readonly TextPiece[]): void {
  if (pieces.length === 0) v.fault(node, 'nothing is appended');
  for (const { append, value } of pieces) {
    v.takes(node, 'a piece', value, pieceTypes[append]);
    if (append === 'text' && !isNeverNullText(value)) v.fault(node, 'a piece may be null');
    if (append === 'short-text' && !isShortText(value)) v.fault(node, 'a short text is none');
    if (append === 'code-unit' && value.kind !== 'int') v.fault(node, 'a code unit is no constant');
  }
}

function verifyGrowing(v: FunctionVerifier, node: Node, { local, builder }: GrowingText): void {
  v.holds(node, 'the local of the text', local, stringType);
  v.holds(node, 'the local of the builder', builder, builderType);
}
