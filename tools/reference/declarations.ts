/** What an entry of the library exports, read from the sources: each name's text without its body, and its docstring. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export interface Declaration {
  readonly name: string;
  readonly kind: "value" | "type";
  /** The docstring as prose; "" for none. */
  readonly doc: string;
  /** As in the source, comments on members included, bodies left out. */
  readonly code: string;
}

/** Every export of the module at the URL, in the order of the file; `export … from` is followed. */
export function declarationsOf(module: URL): readonly Declaration[] {
  const source = parse(module);
  return source.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return declared(source, statement);
    const { moduleSpecifier: from, exportClause: clause } = statement;
    if (clause === undefined || !ts.isNamedExports(clause)) return declarationsOf(new URL(specifierOf(from), module));
    return clause.elements.map(({ name, propertyName }) => {
      const wanted = (propertyName ?? name).text;
      // Without a module of its own the name was imported above.
      return { ...find(new URL(specifierOf(from ?? importOf(source, wanted)), module), wanted), name: name.text };
    });
  });
}

function find(module: URL, name: string): Declaration {
  const found = declarationsOf(module).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${module.pathname} declares no ${name}.`);
  return found;
}

function specifierOf(node: ts.Expression | undefined): string {
  if (node === undefined || !ts.isStringLiteral(node)) throw new Error("An export is not from a module that is named.");
  return node.text;
}

function importOf(source: ts.SourceFile, name: string): ts.Expression | undefined {
  const names = (statement: ts.ImportDeclaration): boolean => {
    const bindings = statement.importClause?.namedBindings;
    return bindings !== undefined && ts.isNamedImports(bindings) && bindings.elements.some((element) => element.name.text === name);
  };
  return source.statements.filter(ts.isImportDeclaration).find(names)?.moduleSpecifier;
}

function parse(module: URL): ts.SourceFile {
  return ts.createSourceFile(module.pathname, readFileSync(module, "utf8"), ts.ScriptTarget.Latest, true);
}

function declared(source: ts.SourceFile, statement: ts.Statement): readonly Declaration[] {
  const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (isExported !== true) return [];
  const doc = docOf(statement);
  const end = (node: ts.Node): string => source.text.slice(statement.getStart(), node.getStart()).trimEnd();
  if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
    const code = statement.body === undefined ? statement.getText() : `${end(statement.body)};`;
    return [{ name: statement.name.text, kind: "value", doc, code }];
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [{ name: statement.name.text, kind: "type", doc, code: statement.getText() }];
  if (ts.isClassDeclaration(statement) && statement.name !== undefined)
    return [{ name: statement.name.text, kind: "value", doc, code: classOf(source, statement) }];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name, type }) => {
    const shown = type === undefined ? name.getText() : `${name.getText()}: ${type.getText()}`;
    return { name: name.getText(), kind: "value", doc, code: `export const ${shown};` };
  });
}

/** A class with the bodies of its members left out. */
function classOf(source: ts.SourceFile, statement: ts.ClassDeclaration): string {
  const members = statement.members.map((member) => {
    const body = ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member) ? member.body : undefined;
    return body === undefined ? member.getText() : `${source.text.slice(member.getStart(), body.getStart()).trimEnd()};`;
  });
  const head = source.text.slice(statement.getStart(), source.text.indexOf("{", statement.name?.end ?? statement.getStart()) + 1);
  return [head, ...members.map((member) => `  ${member}`), "}"].join("\n");
}

function docOf(statement: ts.Statement): string {
  const doc = ts.getJSDocCommentsAndTags(statement).findLast(ts.isJSDoc);
  const text = doc === undefined ? "" : doc.getText().replace(/^\/\*\*|\*\/$/g, "");
  return text.replace(/^[ \t]*\* ?/gm, "").trim();
}
