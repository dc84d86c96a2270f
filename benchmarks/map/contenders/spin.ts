// Nothing but arithmetic, so that what two cores give is known: two of these at once take as long as one, or longer.

let value = 1;
for (let step = 0; step < Number(process.argv[2]); step++) value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
if (value < 0) throw new Error('never');
