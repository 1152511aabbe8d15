import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RailUnavailable } from "@intents/execution/rails/ask.ts";
import { StoreBusy } from "@intents/storage/table/transact.ts";
import { type Command, CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import { outcomeOf } from "./outcome.ts";
import { createProgram } from "./program.ts";
import { Refusal } from "./refusal.ts";

/** The text and the error that a wrong command line gets. */
async function refusalOf(args: readonly string[]): Promise<{ output: string; error: unknown }> {
  let output = "";
  const program = createProgram();
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.configureOutput({
      writeErr: (text) => {
        output += text;
      },
    });
  }
  const error = await program.parseAsync(args, { from: "user" }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { output, error };
}

test("the executable runs the command by the workspace's Node, also by a link from elsewhere", () => {
  const folder = mkdtempSync(join(tmpdir(), "operator-"));
  const link = join(folder, "operator");
  symlinkSync(new URL("../bin/operator", import.meta.url).pathname, link);
  const help = execFileSync(link, ["keys", "revoke", "--help"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(help).toContain("Usage: operator keys revoke");
});

describe("a command line", () => {
  test.each([
    ["an unknown command", "tenant show 1001", /unknown command 'tenant' \(Did you mean tenants\?\)/],
    ["an unknown subcommand", "keys creat a", /unknown command 'creat' \(Did you mean create\?\)/],
    ["an unknown option", "tenants set 1001 --nam A", /unknown option '--nam' \(Did you mean --name\?\)/],
    ["an argument too many", "tenants show 1001 1002", /too many arguments .* Expected 1 argument but got 2/],
    ["an argument too few", "keys revoke", /missing required argument 'clientId'/],
    ["an option that is missing", "keys create acme-1", /required option '--tenant <id>' not specified/],
    ["an id that cannot be one", "tenants show T1", /a number of at most nine digits/],
    ["a client id with a colon", "keys create a:b --tenant 1001", /letters, digits, dots, dashes, underscores/],
    ["an unknown country", "tenants create 2007 --name A --country XX", /ISO 3166-1 alpha-2/],
    ["a spread of 100 %", "tenants set 1001 --commission-spread 1", /a decimal fraction below 1/],
    ["an unknown permission", "keys create acme-1 --grant AllowAll", /Allowed choices are AllowSplitPayment, /],
    ["an end that is past", "keys limit acme-1 --expires 2020-01-01", /a time in the future/],
    ["an end on no day", "keys limit acme-1 --expires 2027-02-30", /a day or a time in UTC/],
    ["a source that is none", "keys limit acme-1 --sources 203.0.113.7/24", /"203.0.113.7\/24" is no address/],
    ["a scope that is none", "keys create acme-1 --tenant 1001 --scopes read,admin", /"admin" is none of read, write/],
    ["a contact that is none", "tenants set 1001 --support-contact Ana", /an e-mail address/],
    ["an unknown stage", "tenants show 1001 --stage prod", /Allowed choices are sandbox, production/],
    ["no time to come back", "maintenance on --retry-after 0", /a number of seconds/],
    ["nobody's payments", "intents show 1", /required option '--tenant <id>' not specified/],
    ["a status that is none", "intents list --tenant 1001 --status paid", /Allowed choices are draft, /],
    ["a list without an end", "intents list --tenant 1001 --limit 0", /a number from 1 to 1000000, or all/],
    ["no outcome", "intents resolve 1 --tenant 1001", /required option '--as <status>' not specified/],
    ["orders that are none", "intents resolve 1 --tenant 1001 --as failed --cleared a", /numbers with commas between/],
    ["no demo payments", "seed --tenant 1001 --intents 0", /a number from 1 to 100000/],
  ])("with %s is refused in one line, which tells what was probably meant", async (_what, line, why) => {
    const { output, error } = await refusalOf(line.split(" "));
    expect(output).toMatch(why);
    expect(output).toMatch(/^error: [^\n]+; --help tells more\n$/);
    expect(error).toBeInstanceOf(CommanderError);
    expect(outcomeOf(error)).toEqual({ code: 2 });
  });
});

describe("a command that was not carried out", () => {
  test.each<[string, Error, number, string | undefined]>([
    ["a refusal", new Refusal("There is no tenant 7"), 4, "There is no tenant 7"],
    ["a question without an answer", new Refusal("repeat with --yes", "usage"), 2, "repeat with --yes"],
    ["Ctrl-C at a question", new Refusal("", "interrupted"), 130, undefined],
    [
      "a service that is gone",
      Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
      3,
      "The service does not answer: connect ECONNREFUSED",
    ],
    [
      "an error of AWS",
      Object.assign(new Error("Requested resource not found"), { name: "ResourceNotFoundException", $metadata: {} }),
      3,
      "ResourceNotFoundException: Requested resource not found",
    ],
    [
      "no credentials",
      Object.assign(new Error("Could not load"), { name: "CredentialsProviderError" }),
      3,
      "CredentialsProviderError: Could not load",
    ],
    [
      "no region",
      new Error("Region is missing"),
      3,
      "No region is named: set AWS_REGION, or use a profile that has one (AWS_PROFILE)",
    ],
    [
      "a rail that does not tell what it holds",
      new RailUnavailable("The rail http cannot be listed"),
      3,
      "The rail http cannot be listed",
    ],
    ["a store that puts it off", new StoreBusy("The store kept putting off"), 3, "The store kept putting off"],
  ])("tells why in one line, and ends with the code of its kind: %s", (_what, error, code, line) => {
    expect(outcomeOf(error)).toEqual({ code, ...(line !== undefined && { line }) });
  });

  test("throws a bug on", () => {
    expect(() => outcomeOf(new TypeError("undefined is no function"))).toThrow(TypeError);
    expect(() => outcomeOf("thrown")).toThrow("thrown");
  });
});

describe("every command", () => {
  const all = (command: Command): Command[] => [
    command,
    ...command
      .createHelp()
      .visibleCommands(command)
      .filter((each) => each.name() !== "help")
      .flatMap(all),
  ];
  const commands = all(createProgram()).map(
    (command) => [command.parent === null ? "operator" : command.name(), command] as const,
  );

  test.each(commands)("says what it does, and what each of its arguments and options is: %s", (_name, command) => {
    const { options, registeredArguments } = command;
    const described = [
      command.description(),
      ...[...options, ...registeredArguments].map(({ description }) => description),
    ];
    expect(described).toEqual(described.map(() => expect.stringMatching(/\w{2}/)));
  });

  test("that lists something takes --csv, as do all", async () => {
    const { output } = await refusalOf(["tenants", "list", "--csv", "--json"]);
    expect(output).toMatch(/'--json' cannot be used with option '--csv'/);
  });
});
