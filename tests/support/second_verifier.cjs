// The second verifier, loaded once for many questions: node second_verifier.cjs VERIFIER. A line of the standard input is
// {"how", "given"}, as verify.js is asked on its command line; its answers come as one line.
require(process.argv[2]);
const { verify, verifyWithCard, fromBase64, evidence, evidenceInWords, signedChain, unarmored } = globalThis.pbem;
const ANSWERS = {
  "--batch": (cases) => cases.map(({ file, trace }) => verify(fromBase64(file), trace)),
  "--cards": (cases) => cases.map(({ file, trace }) => verifyWithCard(fromBase64(file), trace)),
  "--evidence": (cases) => {
    const found = evidence(cases.map(({ file }) => signedChain(unarmored(fromBase64(file)))));
    return found.map((one) => ({ ...one, words: evidenceInWords(one) }));
  },
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { how, given } = JSON.parse(line);
  process.stdout.write(JSON.stringify(ANSWERS[how](given)) + "\n");
});
