/** One kind of pet that the store sells, and its category. */
export type Species = {
  category: string
  description: string
  /** Its weight among all kinds. */
  share: number
  /** The least and the highest price, in euros. */
  prices: readonly [least: number, most: number]
  breeds: readonly string[]
  colours: readonly string[]
  /** The container from which groups are sold, and its capacity; absent where each pet has a name. */
  group?: { kind: string; sizeMax: number }
}

const coats: Readonly<Record<string, string>> = {
  fur: 'black, white, brown, grey, cream, ginger, spotted, silver, fawn, black and white',
  feathers: 'green, blue, yellow, white, grey, pied, red, lutino, turquoise, cinnamon',
  scales: 'green, brown, albino, striped, spotted, olive, sand-coloured, black',
  fins: 'red, blue, gold, silver, black, white, orange, calico',
}

/**
 * A row for each kind that the store sells: category, share, prices, group, colours, description, breeds. A change here changes the data
 * of every seed.
 */
export const speciesSold: readonly Species[] = `
Dogs | 12 | 450-1400 | single | fur | Companions for walks in every weather. All are chipped and vaccinated. | Labrador, beagle, poodle, dachshund, border collie, boxer, whippet, golden retriever, terrier, corgi, husky, spaniel, sheepdog, schnauzer, pug
Cats | 13 | 250-900 | single | fur | House cats and pedigree cats, neutered, used to people. | shorthair, Siamese, Persian, Maine Coon, Bengal, ragdoll, Burmese, Birman, sphynx, tabby, Abyssinian, Norwegian forest cat
Rabbits | 6 | 25-80 | single | fur | Given away in pairs wherever possible. | lop, lionhead, Dutch rabbit, rex rabbit, Angora, dwarf rabbit, Flemish giant
Guinea pigs | 5 | 20-50 | single | fur | Talkative, and never happy alone. | Peruvian guinea pig, Sheltie guinea pig, teddy guinea pig, rosette guinea pig, Texel guinea pig, crested guinea pig
Hamsters | 4 | 8-25 | single | fur | Awake when you are asleep. One to a cage. | golden hamster, dwarf hamster, Roborovski, Campbell hamster, Chinese hamster
Mice | 2 | 3-9 | litter of 12 | fur | Fancy mice, sold by the litter or one by one. | fancy mouse, spiny mouse, harvest mouse, satin mouse
Rats | 3 | 10-25 | single | fur | Clever, clean and fond of company. | hooded rat, dumbo rat, rex rat, Berkshire rat, satin rat
Gerbils | 2 | 8-20 | single | fur | Diggers, who need deep sand and each other. | Mongolian gerbil, fat-tailed gerbil, pallid gerbil
Chinchillas | 2 | 80-180 | single | fur | Softest fur of all; they bathe in dust and live for twenty years. | chinchilla, Angora chinchilla, velvet chinchilla
Ferrets | 2 | 90-200 | single | fur | For people with patience, and nothing breakable on low shelves. | ferret, sable ferret, polecat ferret
Hedgehogs | 1 | 120-220 | single | fur | African pygmy hedgehogs from breeders, never from the wild. | pygmy hedgehog, Algerian hedgehog
Parrots | 4 | 150-1800 | single | feathers | They may outlive you: ask us before you fall in love. | Timneh parrot, Amazon parrot, macaw, cockatoo, conure, lovebird, Senegal parrot, parrotlet
Budgerigars | 5 | 15-45 | single | feathers | Hand-tame, from our own aviary. | budgerigar, English budgerigar, crested budgerigar
Canaries | 3 | 30-90 | single | feathers | Cocks that sing and hens that listen. | Harz Roller, Gloster, Yorkshire canary, Border canary, lizard canary
Finches | 2 | 12-60 | single | feathers | Small birds for a large aviary. | zebra finch, Gouldian finch, society finch, goldfinch
Cockatiels | 3 | 50-120 | single | feathers | The crest shows the mood. | cockatiel, pearl cockatiel, white-faced cockatiel
Chickens | 3 | 12-35 | single | fur | Good layers for the garden, three at least. | Sussex hen, Orpington hen, Leghorn hen, silkie, Wyandotte hen, bantam, Brahma hen
Ducks | 2 | 15-45 | single | fur | They keep slugs away, and need a pond. | call duck, runner duck, Pekin duck, Muscovy duck, Aylesbury duck
Tropical fish | 4 | 2-15 | tank of 200 | fins | For warm fresh water of 24 to 27 °C. Sold from the tank. | neon tetra, guppy, angelfish, molly, platy, swordtail, discus, danio, rasbora
Goldfish | 2 | 3-12 | tank of 60 | fins | For cool water, and never for a bowl. | comet, fantail, oranda, ryukin, shubunkin, lionhead goldfish
Koi | 1 | 20-300 | pond of 30 | fins | For ponds of 10,000 litres and more. | Kohaku, Sanke, Showa, Utsuri, Asagi, butterfly koi
Geckos | 3 | 40-180 | single | scales | Bred here, with papers. | leopard gecko, crested gecko, gargoyle gecko, day gecko
Snakes | 2 | 60-250 | single | scales | Harmless kinds alone. | corn snake, king snake, milk snake, ball python, hognose
Lizards | 2 | 50-220 | single | scales | For terrariums with sun, shade and somewhere to hide. | bearded dragon, blue-tongued skink, veiled chameleon, anole
Tortoises | 2 | 90-320 | single | scales | Registered, and older than they look. | Hermann tortoise, Greek tortoise, Russian tortoise, marginated tortoise
Frogs | 2 | 20-70 | single | scales | Loud after rain. | tree frog, dart frog, horned frog, fire-bellied toad
Axolotls | 1 | 25-60 | single | scales | Forever young, in cold and quiet water. | axolotl, melanoid axolotl, leucistic axolotl
Stick insects | 1 | 2-8 | box of 40 | scales | Look closely. Sold from the box. | Indian stick insect, spiny stick insect, leaf insect
Goats | 1 | 80-260 | single | fur | Two or more, and a high fence. | pygmy goat, Saanen, Toggenburg, Boer goat, Angora goat
Ponies | 1 | 900-3500 | single | bay, chestnut, black, grey, palomino, dun, piebald, roan | Ridden in, shod and seen by the vet. | Shetland pony, Welsh pony, Connemara pony, Haflinger, fjord horse, Icelandic horse`
  .trim()
  .split('\n')
  .map(speciesOf)

function speciesOf(row: string): Species {
  const [category = '', share, prices = '', ...others] = row.split(' | ')
  const [group = '', colours = '', description = '', breeds = ''] = others
  const [least = 0, most = 0] = prices.split('-').map(Number)
  const [kind = '', sizeMax] = group.split(' of ')
  return {
    category,
    description,
    share: Number(share),
    prices: [least, most],
    breeds: breeds.split(', '),
    colours: (coats[colours] ?? colours).split(', '),
    ...(sizeMax === undefined ? {} : { group: { kind, sizeMax: Number(sizeMax) } }),
  }
}
