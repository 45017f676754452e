import { isHangoError } from "hango";
import { describe, expect, it } from "vitest";
import { chooseModel, type ModelOptions } from "./choose-model.ts";

function refusal(options: ModelOptions, environment: Readonly<Record<string, string>> = {}): string {
  try {
    chooseModel(options, environment);
  } catch (error) {
    if (isHangoError(error, "invalid_argument")) return error.message;
    throw error;
  }
  return "";
}

describe("chooseModel", () => {
  it("takes openai/… to OpenAI with its key, and everything else through the gateway", () => {
    const keys = { OPENAI_API_KEY: "o", AI_GATEWAY_API_KEY: "g" };
    expect(chooseModel({ model: "openai/gpt-5" }, keys).shown).toBe("gpt-5 at api.openai.com");
    expect(chooseModel({ model: "openai/gpt-5" }, { AI_GATEWAY_API_KEY: "g" }).shown).toBe("openai/gpt-5, through the AI Gateway");
    expect(chooseModel({ model: "anthropic/claude-sonnet-4.5" }, keys).shown).toBe("anthropic/claude-sonnet-4.5, through the AI Gateway");
    expect(chooseModel({}, { ...keys, HANGO_MODEL: "openai/gpt-5" }).shown).toBe("gpt-5 at api.openai.com");
  });

  it("hands a server of one's own the name as it is", () => {
    const { model, shown } = chooseModel({ model: "meta-llama/Llama-3.3", baseUrl: "http://localhost:8000/v1/" }, {});
    expect(shown).toBe("meta-llama/Llama-3.3 at localhost:8000");
    expect(typeof model === "string" ? "" : model.modelId).toBe("meta-llama/Llama-3.3");
  });

  it.each<[string, ModelOptions, RegExp]>([
    ["no model", {}, /--model provider\/name.*OPENAI_API_KEY/],
    ["no key for OpenAI", { model: "openai/gpt-5" }, /set OPENAI_API_KEY/],
    ["no key for the gateway", { model: "anthropic/claude-sonnet-4.5" }, /set AI_GATEWAY_API_KEY/],
    ["no provider", { model: "gpt-5" }, /provider\/name/],
    ["half a name", { model: "openai/" }, /provider\/name/],
    ["an address that is none", { model: "x", baseUrl: "localhost:11434" }, /--base-url must be/],
    ["a key in the address", { model: "x", baseUrl: "https://user:secret@host/v1" }, /HANGO_MODEL_API_KEY/],
  ])("says in one sentence what is missing or wrong: %s", (_, options, expected) => {
    expect(refusal(options)).toMatch(expected);
    expect(refusal(options)).not.toMatch(/secret|\n/);
  });
});
