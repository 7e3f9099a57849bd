/** @module */

import { MmError } from "../../base/errors.ts";
import type { Command } from "./command.ts";

/** `/attached [drop [N]]`: what goes with the next prompt. */
export const attachedCommand: Command = {
  name: "attached",
  args: "[drop [N]]",
  help: "Show what goes with the next prompt, or leave it out: all of it, or number N",
  complete: () => [{ insert: "drop", label: "drop", description: "Leave all of it out" }],
  run(args, host) {
    const { attachments } = host.active;
    const labels = attachments.waiting.map((one) => one.label());
    if (args === "") {
      if (labels.length === 0) return host.output("Nothing goes with the next prompt.");
      const lines = labels.map((label, index) => `${index + 1}. ${label.replaceAll("\n", " ")}`);
      return host.output(["With the next prompt:", "", ...lines].join("\n"));
    }
    const [, number] = /^drop(?:\s+(\d+))?$/.exec(args) ?? [];
    if (!args.startsWith("drop") || (args !== "drop" && number === undefined)) {
      throw new MmError("usage", `Cannot do /attached ${args}: it is drop, drop N or nothing`);
    }
    if (number === undefined) {
      const count = attachments.takeAll().length;
      return host.notice("info", `Left out of the next prompt: ${count}`);
    }
    const wanted = attachments.waiting[Number(number) - 1];
    if (wanted === undefined || attachments.drop(wanted) === undefined) {
      throw new MmError("usage", `Cannot leave number ${number} out: there is none`);
    }
    host.notice("info", `Left out of the next prompt: ${wanted.label()}`);
  },
};
