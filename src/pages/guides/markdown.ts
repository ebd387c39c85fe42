import { Marked, type Tokens } from 'marked'
import { type Html, html, trusted } from '../html.ts'

type Heading = { id: string; text: string; depth: number }

/**
 * Renders Markdown of the repository. Headings get the ids that GitHub gives them; `linkTo` gives the address of a
 * link, or `undefined` where the page has none: its text then stays alone. HTML in the text is shown as text.
 */
export function renderMarkdown(
  text: string,
  linkTo: (target: string) => string | undefined,
): { content: Html; headings: Heading[] } {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: ({ text }) => html`${text}`.text,
      heading({ tokens, depth, text }) {
        const heading = { id: idOf(text, headings), text: plain(text), depth }
        headings.push(heading)
        const content = trusted(this.parser.parseInline(tokens))
        const tag = trusted(`h${depth}`)
        return html`<${tag} id="${heading.id}">${content}</${tag}>\n`.text
      },
      link({ href, tokens }) {
        const content = trusted(this.parser.parseInline(tokens))
        const address = linkTo(href)
        return (address === undefined ? content : html`<a href="${address}">${content}</a>`).text
      },
      code: ({ text, lang }: Tokens.Code) =>
        html`<div class="copied"><pre tabindex="0"${lang && html` data-language="${lang}"`}><code>${text}</code></pre></div>\n`
          .text,
      table(token) {
        const row = (cells: Tokens.TableCell[]) =>
          trusted(cells.map((cell) => this.tablecell(withoutEmptyHeader(cell))).join(''))
        return html`<div class="table card" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${row(token.header)}</tr></thead>
<tbody>${token.rows.map((cells) => html`<tr>${row(cells)}</tr>\n`)}</tbody>
</table></div>\n`.text
      },
    },
  })
  return { content: trusted(marked.parse(text, { async: false })), headings }
}

/** The corner of a table is no header of anything. */
function withoutEmptyHeader(cell: Tokens.TableCell): Tokens.TableCell {
  return cell.text === '' ? { ...cell, header: false } : cell
}

/** As GitHub makes it: in lower case, without punctuation, hyphens for spaces, numbered where it is there already. */
function idOf(text: string, others: readonly Heading[]): string {
  const id = plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
  const count = others.filter((other) => other.id.replace(/-\d+$/, '') === id).length
  return count === 0 ? id : `${id}-${count}`
}

/** The text of a heading, without the marks of code and emphasis. */
function plain(text: string): string {
  return text.replace(/[`*]/g, '')
}
