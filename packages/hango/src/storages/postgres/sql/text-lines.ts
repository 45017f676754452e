/** The SQL twin of splitLines. */

/** Splits at LF into an array, one CR before each LF gone; both needles are constants, so both steps are linear. The last piece of a text that ends in LF is empty and no line. */
export function linesArray(content: string): string {
  return `string_to_array(replace(${content}, chr(13) || chr(10), chr(10)), chr(10))`;
}

/** How many lines the array holds. */
export function lineCount(array: string): string {
  return `cardinality(${array}) - case when ${array}[cardinality(${array})] = '' then 1 else 0 end`;
}

/** The piece as a line: the first one without one byte order mark. */
export function asLine(piece: string, number: string): string {
  return `case when ${number} = 1 and ${piece} ^@ chr(65279) then substr(${piece}, 2) else ${piece} end`;
}
