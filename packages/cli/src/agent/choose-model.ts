/** Which model a run talks to, and with which key. Nothing is opened or sent here. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type LanguageModel, createGateway } from "ai";
import { HangoError } from "hango";

export interface ModelOptions {
  /** "provider/name"; with a base URL, the name as the endpoint knows it. */
  readonly model?: string;
  readonly baseUrl?: string;
}

export interface ChosenModel {
  readonly model: LanguageModel;
  /** For the person: the model and who answers for it. */
  readonly shown: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OPENAI_URL = "https://api.openai.com/v1";

/** Chooses by the name, the base URL and the keys that are there; a key goes to its own provider only. Errors: invalid_argument. */
export function chooseModel({ model: given, baseUrl }: ModelOptions, environment: Environment): ChosenModel {
  const name = given ?? environment["HANGO_MODEL"] ?? "";
  if (name === "") refuse("Name a model with --model provider/name, such as --model openai/gpt-5 (with its key in OPENAI_API_KEY), or in HANGO_MODEL.");
  if (baseUrl !== undefined) return compatible({ provider: "openai-compatible", name, url: parseBaseUrl(baseUrl), key: environment["HANGO_MODEL_API_KEY"] });
  const slash = name.indexOf("/");
  if (slash < 1 || slash === name.length - 1)
    refuse(`--model ${name} names no provider: write provider/name, such as openai/gpt-5, or add --base-url for a server of your own.`);
  const openAiKey = environment["OPENAI_API_KEY"];
  const isOpenAi = name.startsWith("openai/");
  if (isOpenAi && openAiKey) return compatible({ provider: "openai", name: name.slice(slash + 1), url: OPENAI_URL, key: openAiKey });
  const gatewayKey = environment["AI_GATEWAY_API_KEY"];
  if (gatewayKey) return { model: createGateway({ apiKey: gatewayKey })(name), shown: `${name}, through the AI Gateway` };
  return refuse(
    isOpenAi
      ? `--model ${name} needs a key: set OPENAI_API_KEY (or AI_GATEWAY_API_KEY for the AI Gateway).`
      : `--model ${name} needs a key for the AI Gateway: set AI_GATEWAY_API_KEY (or use --base-url for an OpenAI-compatible server).`,
  );
}

interface Endpoint {
  readonly provider: string;
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
}

function compatible({ provider, name, url, key }: Endpoint): ChosenModel {
  const modelOf = createOpenAICompatible({ name: provider, baseURL: url, includeUsage: true, ...(key ? { apiKey: key } : {}) });
  return { model: modelOf(name), shown: `${name} at ${new URL(url).host}` };
}

/** A user and password in the address would end up on screens. */
function parseBaseUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    refuse("--base-url must be an http or https address such as http://localhost:11434/v1; a key belongs in HANGO_MODEL_API_KEY.");
  return given.replace(/\/+$/, "");
}

function refuse(message: string): never {
  throw new HangoError("invalid_argument", message);
}
