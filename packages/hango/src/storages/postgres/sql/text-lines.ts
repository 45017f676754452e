/** The SQL twin of splitLines. */

/** Splits at LF into an array, one CR before each LF gone; both needles are constants, so both steps are linear. The last piece of a text that ends in LF is empty and no line. */
export function linesArray(content: string): string {
  return `string_to_array(replace(${content}, chr(13) || chr(10), chr(10)), chr(10))`;
}

/** The same, each CR kept: a window of a few lines takes its own away by withoutCr, which spares a search of the whole text. */
export function piecesArray(content: string): string {
  return `string_to_array(${content}, chr(10))`;
}

/** A piece without one CR before its LF. Looks at the last byte: `right` would count every character of a line of megabytes. */
export function withoutCr(piece: string, endsInLf: string): string {
  return `case when ${endsInLf} and ${piece} <> '' and get_byte(convert_to(${piece}, 'UTF8'), octet_length(${piece}) - 1) = 13 then left(${piece}, -1) else ${piece} end`;
}

/** How many lines the array holds. */
export function lineCount(array: string): string {
  return `cardinality(${array}) - case when ${array}[cardinality(${array})] = '' then 1 else 0 end`;
}

/** The piece as a line: the first one without one byte order mark. */
export function asLine(piece: string, number: string): string {
  return `case when ${number} = 1 and ${piece} ^@ chr(65279) then substr(${piece}, 2) else ${piece} end`;
}
