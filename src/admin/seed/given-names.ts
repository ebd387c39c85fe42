/** Given names of pets. */
export const givenNames: readonly string[] = `
Abby Ada Agnes Ajax Alma Amber Angus Apollo Archie Arlo Asta Athena Atlas Bailey Balu Bandit Barney Basil
Bean Bear Bella Benji Benny Bess Biscuit Björk Blanche Blue Bonnie Boris Bruno Buddy Button Caesar Callie
Caramel Casper Champ Charlie Chestnut Chico Chili Chloé Cleo Clementine Coco Cookie Cosmo Cricket Daisy
Dakota Dexter Diego Dixie Dora Dot Duke Dusty Echo Edison Ella Elvis Ember Étoile Felix Fern Figaro Finn
Fiona Flint Flora Frankie Freya Fritz Fudge George Gigi Ginger Gizmo Goldie Gracie Gus Hazel Hector Heidi
Henry Hera Honey Hugo Indie Iris Ivy Izzy Jack Jasmine Jasper Jolly Josie Juno Kiki Kira Kiwi Koko Lady
Leo Lilly Loki Lola Lottie Lucky Lulu Luna Maggie Maple Marble Marley Max Maya Merlin Midnight Milo Mimi
Minnie Misty Mocha Mojo Molly Monty Moritz Muffin Müsli Nala Nell Nemo Nina Noodle Nora Nova Nutmeg Oakley
Odin Olive Ollie Onyx Oreo Oscar Otis Otto Paddy Panda Peanut Pearl Pebbles Pepper Percy Petra Phoebe
Pickles Pip Pippin Pixel Pluto Poppy Primrose Pumpkin Quill Quincy Raisin Remy Rex River Robin Rocky Rosie
Roxy Ruby Rufus Rusty Sadie Salem Sally Sam Saoirse Sasha Scout Shadow Silas Simba Skye Smokey Smudge
Snowball Socks Sophie Sparky Spike Spot Stella Storm Sugar Sunny Sushi Tango Tara Teddy Tess Theo Thor
Tigger Tilly Toast Toby Tom Toto Truffle Tux Twiggy Umbra Ursa Velvet Vera Violet Waffles Wanda Whiskers
Willow Winnie Winston Wren Xena Yoko Yuki Zara Zelda Zeus Ziggy Zoë Zorro`
  .trim()
  .split(/\s+/)
