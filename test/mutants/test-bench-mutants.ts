/** What would make the test bench mislead a test, or open it to others, each a mutant as mutants.ts has them. */
export const testBenchMutants = [
  {
    fault: 'test bench: takes every key',
    file: 'src/test-bench/implement-controls.ts',
    find: 'timingSafeEqual(digestOf(sent), key.digest)',
    replaceBy: 'digestOf(sent).length === key.digest.length',
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: shows keys that were sent in bodies',
    file: 'src/test-bench/intercept.ts',
    find: "return maskKeys(body.toString('utf8').slice(0, bodyMaxCharacters))",
    replaceBy: "return maskKeys('') + body.toString('utf8').slice(0, bodyMaxCharacters)",
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: the journal shows keys in targets',
    file: 'src/test-bench/intercept.ts',
    find: 'target: maskKeys(url)',
    replaceBy: 'target: url',
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: the journal shows keys in headers',
    file: 'src/test-bench/intercept.ts',
    find: 'shown[maskKeys(name)] = maskKeys(String(others[name]))',
    replaceBy: 'shown[name] = String(others[name])',
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: sends an error that an operation does not declare',
    file: 'src/test-bench/faults.ts',
    find: "!declaredErrors.get(candidate.operation ?? '')?.has(fault.error)",
    replaceBy: "declaredErrors.get(candidate.operation ?? '')?.size === 0",
    tests: ['test/test-bench/faults.test.ts'],
  },
]
