// Tells the story on a terminal: scenes, what is done, what came of it, and whether that is what was promised.
import picocolors from 'picocolors';

const { bold, cyan, dim, green, red, yellow } = picocolors;

export class Narrator {
  readonly #write: (text: string) => void;
  #scene = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** A line about what is being set up. */
  note(text: string): void {
    this.#write(`${dim(text)}\n`);
  }

  scene(title: string): void {
    this.#scene += 1;
    this.#write(`\n${bold(`${this.#scene}. ${title}`)}\n`);
  }

  /** Something that is done. */
  act(text: string): void {
    this.#write(`   ${cyan('▸')} ${text}\n`);
  }

  /** Words of the product, as it said them. */
  quote(text: string): void {
    this.#write(`     ${yellow(wrap(text, 100, '     '))}\n`);
  }

  /**
   * A claim of the story. It is shown with what was really found, and ends the story when it does not hold.
   * @throws StoryError when `holds` is false
   */
  claim(text: string, holds: boolean, found: string): void {
    if (holds) {
      this.#write(`   ${green('✓')} ${text}\n`);
      return;
    }
    this.#write(`   ${red('✗')} ${text}\n     found: ${found}\n`);
    throw new StoryError(`scene ${this.#scene}: ${text}; found: ${found}`);
  }
}

/** The product did not do what the story promises. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
  readonly code = 'STORY';
}

function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${indent}`);
}
