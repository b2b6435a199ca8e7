// Writes docs/findings.md from the catalogue of finding codes; with --check says whether the page is fresh.
import { FINDING_CODES, type FindingOrigin, findingDocsAnchor } from '../api/finding-codes.ts';
import { findingRemedy } from '../api/finding-remedies.ts';
import { writeOrCheck } from './generated-file.ts';

const HEADER = `# Findings

What each code means, and what to do about it. Codes never change their meaning. This page is made from \`api/finding-codes.ts\`
and \`api/finding-remedies.ts\` by \`make generate\`.

An error makes a Pacto NonCompliant (found in the cluster) or Invalid (found in the contract), a warning Warning. What is
unknown is never taken for kept and never for broken: the Pacto is Unknown.
`;

const CHAPTERS: Readonly<Record<FindingOrigin, string>> = {
  runtime: 'The cluster contradicts the contract',
  undecided: 'Could not be judged',
  static: 'In the contract itself',
};

const chapters = (Object.entries(CHAPTERS) as [FindingOrigin, string][]).map(([origin, title]) => {
  const sections = [...FINDING_CODES]
    .filter(([, info]) => info.origin === origin)
    .map(([code, { category, severities, meaning }]) => {
      // Two severities: the second is that of optional elements.
      const [severity, optional] = severities;
      const weight = optional === undefined ? severity : `${severity}, or ${optional} for what is optional`;
      return `### ${code}\n\n*${category}, ${weight}.* ${meaning}\n\n${findingRemedy(code)}\n`;
    });
  return `\n## ${title}\n\n${sections.join('\n')}`;
});

const index = [...FINDING_CODES.keys()].map((code) => `[${code}](${findingDocsAnchor(code)})`).join(' · ');

writeOrCheck(new URL('../docs/findings.md', import.meta.url), `${HEADER}\n${index}\n${chapters.join('')}`);
