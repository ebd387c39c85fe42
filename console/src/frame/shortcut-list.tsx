import { Modal, Switch } from '@mantine/core'
import { useStore } from '../base/store.ts'
import {
  type Shortcut,
  setSingleKeys,
  singleKeys,
  useOfferedShortcuts,
} from '../shared/shortcuts.ts'
import { Kbd } from './kbd.tsx'
import classes from './shortcut-list.module.css'

/** The keys of every list, while it has the focus. */
const ofLists: Omit<Shortcut, 'run'>[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next row', group: 'In a list' },
  { keys: 'PageUp PageDown', label: 'Previous or next page', group: 'In a list' },
  { keys: 'Home End', label: 'First or last row', group: 'In a list' },
  { keys: 'Enter', label: 'Open the row', group: 'In a list' },
  { keys: 'Space', label: 'Choose the row, on the page of pets', group: 'In a list' },
  { keys: 'mod+a', label: 'Choose all that match', group: 'In a list' },
  { keys: 'Escape', label: 'Choose none', group: 'In a list' },
]

/** All that keys do on the page that is shown. */
export function ShortcutList({ isOpen, close }: { isOpen: boolean; close(): void }) {
  const groups = Map.groupBy([...useOfferedShortcuts(), ...ofLists], ({ group }) => group)
  const isOn = useStore(singleKeys)
  return (
    <Modal opened={isOpen} onClose={close} title={<strong>Keyboard shortcuts</strong>} size="lg">
      <div className={classes.groups}>
        {[...groups].map(([group, shortcuts]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {shortcuts.map(({ keys, label }) => (
                <div key={keys}>
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        label="Single-key shortcuts"
        description="When off, only shortcuts with Ctrl or Command work."
        checked={isOn}
        onChange={({ currentTarget }) => setSingleKeys(currentTarget.checked)}
      />
    </Modal>
  )
}
